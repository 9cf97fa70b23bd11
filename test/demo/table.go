package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A table is printed in columns as wide as their widest cell.
type table struct {
	columns []column
	lines   []line
}

type column struct {
	title string
	right bool // numbers stand at the right
}

// A line is a row of cells, and a note below them. Without cells it is a title,
// or blank.
type line struct {
	title string
	cells []string
	note  string
}

const gap = "  "

// print writes the table in the style's colours.
func (t table) print(out *strings.Builder, s style) {
	titles := make([]string, len(t.columns))
	for i, c := range t.columns {
		titles[i] = c.title
	}
	widths := t.widths()
	fmt.Fprintln(out, s.bold(t.padded(titles, widths)))
	for _, l := range t.lines {
		fmt.Fprintln(out, s.bold(l.title)+t.padded(l.cells, widths))
		if l.note != "" {
			fmt.Fprintln(out, s.dim(strings.Repeat(" ", widths[0])+gap+"└ "+l.note))
		}
	}
}

func (t table) widths() []int {
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		widths[i] = utf8.RuneCountInString(c.title)
		for _, l := range t.lines {
			if len(l.cells) > 0 {
				widths[i] = max(widths[i], utf8.RuneCountInString(l.cells[i]))
			}
		}
	}
	return widths
}

func (t table) padded(cells []string, widths []int) string {
	padded := make([]string, len(cells))
	for i, cell := range cells {
		blank := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if padded[i] = cell + blank; t.columns[i].right {
			padded[i] = blank + cell
		}
	}
	return strings.TrimRight(strings.Join(padded, gap), " ")
}

// grouped writes a count with commas, such as 15,020.
func grouped(count int) string {
	digits := strconv.Itoa(count)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
