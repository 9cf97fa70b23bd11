package signals

// IsProgram reports a text of which at least half the lines are code, a log or a
// diff.
func IsProgram(text string) bool {
	s, _ := scan(text, make([]byte, 0, min(len(text), proseSpace)))
	return s.code() > 0 && s.code() >= s.lines[proseLine]+s.lines[bulletLine]
}

// Acknowledges reports a text that consists of phrases of assent, praise and
// thanks, and of nothing else.
func Acknowledges(text string) bool {
	s, _ := scan(text, make([]byte, 0, len(text)))
	return s.acknowledges()
}
