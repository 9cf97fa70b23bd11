package replay

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// word is a name that an assistant turn of the session mentions: an index into
// its vocabulary.
type word int32

// vocabulary has the names that a session's assistant turns mention. Whether a
// name that was pruned was needed again shows only in those.
type vocabulary struct {
	index map[string]word
	seen  []int // by word, the last count that met it
	count int
}

// newVocabulary reads the pieces that were spoken by the assistant, and notes in
// all of them which of its names they hold.
func newVocabulary(pieces []*piece, spoken []bool) vocabulary {
	v := vocabulary{index: make(map[string]word)}
	for i, p := range pieces {
		if spoken[i] {
			eachName(p.raw, v.mention)
		}
	}
	v.seen = make([]int, len(v.index))
	for _, p := range pieces {
		v.note(p)
	}
	return v
}

func (v *vocabulary) mention(name []byte) {
	if _, known := v.index[string(name)]; !known {
		v.index[string(name)] = word(len(v.index)) //nolint:gosec // a session is far smaller than that
	}
}

// note writes into a piece which words it holds.
func (v *vocabulary) note(p *piece) {
	p.words = v.of(p.raw)
	for i := range p.results {
		p.results[i].words = v.of(p.content(i))
	}
}

// of are the words that a JSON value holds, each once.
func (v *vocabulary) of(value []byte) (words []word) {
	v.count++
	eachName(value, func(name []byte) {
		if w, known := v.index[string(name)]; known && v.seen[w] != v.count {
			v.seen[w] = v.count
			words = append(words, w)
		}
	})
	return words
}

// eachName visits the identifiers and paths in the strings of a JSON value, its
// members' names included, and in the JSON that such a string may hold, as the
// arguments of calls do.
func eachName(value []byte, visit func(name []byte)) {
	in := decoder(value)
	for {
		token, err := in.ReadToken()
		if err != nil { // its end
			return
		}
		if token.Kind() != jsontext.KindString {
			continue
		}
		said := bytes.TrimSpace([]byte(token.String()))
		if first := form(said); (first == '{' || first == '[') && jsontext.Value(said).IsValid() {
			eachName(said, visit)
		} else {
			namesIn(said, visit)
		}
	}
}

// minName is how many bytes a name has at least.
const minName = 6

// namesIn visits the names of a text. The dots, slashes and dashes around a word
// are no part of it.
func namesIn(text []byte, visit func(name []byte)) {
	for len(text) > 0 {
		end := 0
		for end < len(text) && isNameByte(text[end]) {
			end++
		}
		if name := bytes.Trim(text[:end], "./-"); isName(name) {
			visit(name)
		}
		text = text[min(end+1, len(text)):]
	}
}

func isNameByte(c byte) bool {
	return isSmall(c) || isCapital(c) || isDigit(c) || c == '_' || c == '.' || c == '/' || c == '-'
}

func isSmall(c byte) bool   { return 'a' <= c && c <= 'z' }
func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool   { return '0' <= c && c <= '9' }

// isName reports whether a word is an identifier or a path and no word of prose:
// it has a letter, and a digit, an underscore, a dot, a slash, or a capital
// letter inside that stands among small ones.
func isName(name []byte) bool {
	if len(name) < minName {
		return false
	}
	var small, capital, inner, mark bool
	for i, c := range name {
		small = small || isSmall(c)
		capital = capital || isCapital(c)
		inner = inner || i > 0 && isCapital(c)
		mark = mark || isDigit(c) || c == '_' || c == '.' || c == '/'
	}
	return (small || capital) && (mark || inner && small)
}
