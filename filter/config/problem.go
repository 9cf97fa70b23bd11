package config

import (
	"cmp"
	"fmt"
	"slices"
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
	Line    int    `json:"line"`    // counted from 1; 0: the file as a whole
	Key     string `json:"key"`     // such as models[1].price.input; empty: no single key
	Message string `json:"message"` // what is wrong, the bound, and what to do
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

// problems collects what is wrong with one file. Keys are paths such as
// models[1].price.input; the empty path is the document.
type problems struct {
	file  string
	lines map[string]int  // where each key stands
	known map[string]bool // keys with a problem: one is enough to look there
	list  []Problem
}

// addf reports a problem of a key, unless the key or what holds it has one
// already: what follows from a mistake is not a second mistake.
func (p *problems) addf(key, format string, args ...any) {
	for holder := key; ; holder = parent(holder) {
		if p.known[holder] {
			return
		}
		if holder == "" {
			break
		}
	}
	p.known[key] = true
	p.reportf(p.line(key), key, format, args...)
}

// reportf adds a problem as it is.
func (p *problems) reportf(line int, key, format string, args ...any) {
	p.list = append(p.list, Problem{File: p.file, Line: line, Key: key, Message: fmt.Sprintf(format, args...)})
}

// line is where a key stands, or where it is missing.
func (p *problems) line(key string) int {
	for {
		if line, ok := p.lines[key]; ok || key == "" {
			return line
		}
		key = parent(key)
	}
}

func (p *problems) invalid() *InvalidError {
	slices.SortStableFunc(p.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	return &InvalidError{Problems: p.list}
}

// parent is the key that holds key: models[1] for models[1].price, models for
// models[1], and the document for models.
func parent(key string) string { return key[:max(strings.LastIndexAny(key, ".["), 0)] }

func child(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

func item(key string, index int) string { return fmt.Sprintf("%s[%d]", key, index) }
