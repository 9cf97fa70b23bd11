package signals

import "strings"

// mark counts the punctuation of a line of prose.
func (s *signals) mark(line string) {
	dollars, quoted := 0, false
	statement := containsAny(line, ";", "&&", "==", ":=")
	for i, r := range line {
		if r >= '0' && r <= '9' && (i == 0 || !digit(line[i-1])) {
			s.numbers++
		}
		switch r {
		case '?', '？', '؟':
			s.questions++
		case ',', '，', '、', '،':
			s.commas++
		case ';', '；', '؛':
			s.semicolons++
		case '^', '∫', '∑', '√', '≤', '≥', '∈', '∀', '∃', '→', '×', '≠', '∞', 'π', '⊢', '¬', '∧', '∨':
			s.notation++
		case '$':
			dollars++
		case '=':
			if !statement {
				s.notation += equation(line, i)
			}
		case '\\':
			if !quoted {
				s.notation += command(line[i+1:])
			}
		case '/':
			s.paths += path(line, i)
		case '_':
			s.identifiers++
		case '`':
			quoted = !quoted
			s.identifiers++
		case '(':
			s.identifiers += call(line, i)
		}
	}
	s.notation += dollars / 2
}

// equation counts an equals sign with something like a formula around it.
func equation(line string, at int) int {
	before, after := strings.TrimRight(line[:at], " "), strings.TrimLeft(line[at+1:], " ")
	if before == "" || after == "" || strings.ContainsRune("=!<>:+-\"'", rune(before[len(before)-1])) || after[0] == '=' || after[0] == '"' {
		return 0
	}
	return 1
}

// command counts a LaTeX command.
func command(rest string) int {
	if len(rest) >= 2 && lower(rest[0]) && lower(rest[1]) {
		return 1
	}
	return 0
}

func lower(b byte) bool { return b >= 'a' && b <= 'z' }

// maxPath bounds how far a path is followed from its first slash, in bytes.
const maxPath = 100

// path counts the first slash of a path such as src/api/user.ts or @src/billing.
func path(line string, at int) int {
	before, after := line[max(at-maxPath, 0):at], line[at:min(at+maxPath, len(line))]
	before = before[strings.LastIndexAny(before, pathEnds)+1:]
	if end := strings.IndexAny(after, pathEnds); end >= 0 {
		after = after[:end]
	}
	if strings.ContainsAny(before, "/:") {
		return 0
	}
	if strings.Count(after, "/") >= 2 || strings.HasPrefix(before, "@") || len(after) > 3 && strings.Contains(after, ".") {
		return 1
	}
	return 0
}

// pathEnds are the characters around a path.
const pathEnds = " \t\n(`'\","

// call counts f(x): an opening parenthesis right after a name.
func call(line string, at int) int {
	if at > 1 && lower(line[at-1]|0x20) && lower(line[at-2]|0x20) {
		return 1
	}
	return 0
}
