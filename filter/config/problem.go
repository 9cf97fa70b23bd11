package config

import (
	"fmt"
	"strings"
)

// InvalidError lists everything that is wrong with a configuration, in the
// order of the file's lines.
type InvalidError struct {
	Problems []Problem
}

// Error has one line for each problem.
func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, problem := range e.Problems {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// Problem is one mistake in a configuration file.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // counted from 1; 0: the file as a whole
	Key     string `json:"key"`  // such as models[1].price.input; empty: the whole document
	Message string `json:"message"`
}

// String is the problem on one line, such as
//
//	pointsman.yaml:12: models[1].context_window: must be at least 1 (is 0)
func (p Problem) String() string {
	var text strings.Builder
	text.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&text, ":%d", p.Line)
	}
	if p.Key != "" {
		text.WriteString(": " + p.Key)
	}
	text.WriteString(": " + p.Message)
	return text.String()
}
