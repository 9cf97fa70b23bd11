package replay

// Style writes ANSI colours, or nothing of the kind.
type Style struct{ Colour bool }

func (s Style) bold(text string) string  { return s.wrap("1", text) }
func (s Style) dim(text string) string   { return s.wrap("2", text) }
func (s Style) red(text string) string   { return s.wrap("31", text) }
func (s Style) green(text string) string { return s.wrap("32", text) }

// signed colours a text by whether a share was saved or lost.
func (s Style) signed(percent float64, text string) string {
	switch {
	case percent >= -worseBy:
		return s.green(text)
	case percent <= worseBy:
		return s.red(text)
	default:
		return text
	}
}

func (s Style) wrap(code, text string) string {
	if !s.Colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
