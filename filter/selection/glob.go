package selection

import "unicode/utf8"

// maxNameBytes bounds the names that are held against globs. `model` comes from
// the client and may be as long as a body; no model has a name near this.
const maxNameBytes = 1024

// globMatches reports whether all of name matches pattern, where `*` stands for
// any run of characters and `?` for any one character. It remembers only the
// last star, so that its time is linear in the name for a given pattern,
// whatever either of them holds.
func globMatches(pattern, name string) bool {
	if len(name) > maxNameBytes {
		return false
	}
	p, n := 0, 0
	star, resume := -1, 0 // the last star; where the name goes on after it
	for n < len(name) {
		switch step := stepWidth(pattern, p, name[n:]); {
		case p < len(pattern) && pattern[p] == '*':
			star, resume = p, n
			p++
		case step > 0:
			p++
			n += step
		case star >= 0:
			// The star takes one character more.
			_, width := utf8.DecodeRuneInString(name[resume:])
			resume += width
			p, n = star+1, resume
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// stepWidth returns how many bytes of rest the byte at p of the pattern matches:
// a whole character for `?`, itself otherwise; 0 where it does not match.
func stepWidth(pattern string, p int, rest string) int {
	switch {
	case p == len(pattern):
		return 0
	case pattern[p] == '?':
		_, width := utf8.DecodeRuneInString(rest)
		return width
	case pattern[p] == rest[0]:
		return 1
	default:
		return 0
	}
}
