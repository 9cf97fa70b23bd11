package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
)

// The markers between which a document has a table.
const (
	wholeMarker = "bench"
	shortMarker = "bench-short"
)

var errNoMarkers = errors.New("has no line " + beginOf(wholeMarker) + " or " + beginOf(shortMarker) +
	" with a line " + endOf(wholeMarker) + " or " + endOf(shortMarker) + " after it: add them where the table is to stand")

func beginOf(marker string) string { return "<!-- " + marker + ":begin -->" }
func endOf(marker string) string   { return "<!-- " + marker + ":end -->" }

// write puts the tables into files: the whole or the short one, as their markers
// say.
func (r *report) write(files []string) error {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if text, err = r.into(text); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil { //nolint:gosec // the file that the user names
			return err
		}
	}
	return nil
}

// into puts the tables between their markers.
func (r *report) into(text []byte) ([]byte, error) {
	text, wholeFound := between(text, wholeMarker, r.whole())
	text, shortFound := between(text, shortMarker, r.short())
	if !wholeFound && !shortFound {
		return nil, errNoMarkers
	}
	return text, nil
}

// between replaces what stands between markers, where they are found.
func between(text []byte, marker, table string) (replaced []byte, found bool) {
	begin, end := []byte(beginOf(marker)+"\n"), []byte(endOf(marker)+"\n")
	before, rest, begins := bytes.Cut(text, begin)
	_, after, ends := bytes.Cut(rest, end)
	if !begins || !ends {
		return text, false
	}
	return slices.Concat(before, begin, []byte("\n"+table+"\n"), end, after), true
}
