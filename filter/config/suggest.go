package config

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// unknown reports a key that the schema does not have, with the key that was
// probably meant. That key is then not reported as missing as well.
func (p *problems) unknown(path, name string, section protoreflect.MessageDescriptor) {
	names := fieldNames(section)
	line := p.lines[path]
	if meant := nearest(name, names); meant != "" {
		p.known[child(parent(path), meant)] = true
		p.reportf(line, path, "unknown key: did you mean %s?", meant)
		return
	}
	if homes := homesOf(name); len(homes) > 0 {
		p.reportf(line, path, "unknown key here: it belongs %s, so check the indentation", either(homes))
		return
	}
	p.reportf(line, path, "unknown key: the keys here are %s", strings.Join(names, ", "))
}

func fieldNames(message protoreflect.MessageDescriptor) []string {
	fields := message.Fields()
	names := make([]string, fields.Len())
	for i := range names {
		names[i] = string(fields.Get(i).Name())
	}
	return names
}

// homesOf lists the sections that have a key called name.
func homesOf(name string) []string {
	var homes []string
	var visit func(message protoreflect.MessageDescriptor, place string)
	visit = func(message protoreflect.MessageDescriptor, place string) {
		for i := range message.Fields().Len() {
			field := message.Fields().Get(i)
			if string(field.Name()) == name {
				homes = append(homes, place)
			}
			if field.Message() == nil || field.IsMap() || field.Message().FullName() == durationName {
				continue
			}
			inner := "in " + child(strings.TrimPrefix(strings.TrimPrefix(place, "at the top level"), "in "), string(field.Name()))
			if field.IsList() {
				inner += "[]"
			}
			visit(field.Message(), inner)
		}
	}
	visit((*configv1.Config)(nil).ProtoReflect().Descriptor(), "at the top level")
	return homes
}

// either joins words as in "a, b or c".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// nearest is the candidate that word was probably meant to be: one that is at
// most a third of its letters away, or that holds word or is held by it. Empty:
// none is near.
func nearest(word string, candidates []string) string {
	best, least := "", 0
	for _, candidate := range candidates {
		edits := distance(strings.ToLower(word), candidate)
		if edits > max(1, len(candidate)/3) {
			continue
		}
		if best == "" || edits < least {
			best, least = candidate, edits
		}
	}
	if best != "" {
		return best
	}
	for _, candidate := range candidates {
		if min(len(word), len(candidate)) >= minPart && (strings.Contains(candidate, word) || strings.Contains(word, candidate)) {
			return candidate
		}
	}
	return ""
}

// minPart is how many letters of a word count as a hint of it.
const minPart = 4

// distance counts the letters to insert, delete, replace or swap with their
// neighbour that turn a into b (optimal string alignment). Words of very
// different lengths are not compared: their distance is the difference.
func distance(a, b string) int {
	if difference := max(len(a), len(b)) - min(len(a), len(b)); difference > len(b) {
		return difference
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replaced := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			rows[i][j] = min(replaced, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
