package main

import (
	"io"
	"os"
)

// A style writes ANSI colours, or nothing of the kind.
type style struct{ colour bool }

// styleOf is coloured on a terminal, unless NO_COLOR is set (no-color.org) or
// the terminal is a dumb one.
func styleOf(out io.Writer) style {
	file, ok := out.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return style{}
	}
	info, err := file.Stat()
	return style{colour: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

func (s style) bold(text string) string  { return s.wrap("1", text) }
func (s style) dim(text string) string   { return s.wrap("2", text) }
func (s style) green(text string) string { return s.wrap("32", text) }

func (s style) wrap(code, text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
