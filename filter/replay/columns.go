package replay

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// cell is a text in a table and how it is painted; nil is not at all.
type cell struct {
	text  string
	paint func(string) string
}

// columns writes rows in columns as wide as their widest cell. Where align
// has an l, a column stands at the left, and else, as numbers do, at the right. An
// empty row is a blank line.
func columns(out *strings.Builder, rows [][]cell, align string) {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c.text))
		}
	}
	for _, row := range rows {
		for i, c := range row {
			c.write(out, widths[i], i < len(align) && align[i] == 'l', i == len(row)-1)
		}
		out.WriteByte('\n')
	}
}

func (c cell) write(out *strings.Builder, width int, left, last bool) {
	blank := strings.Repeat(" ", width-utf8.RuneCountInString(c.text))
	if !left {
		out.WriteString(blank)
	}
	if c.paint != nil {
		out.WriteString(c.paint(c.text))
	} else {
		out.WriteString(c.text)
	}
	if left && !last {
		out.WriteString(blank)
	}
	if !last {
		out.WriteString("  ")
	}
}

// plain are cells without colour.
func plain(texts ...string) []cell {
	cells := make([]cell, len(texts))
	for i, text := range texts {
		cells[i].text = text
	}
	return cells
}

// grouped writes a count with commas, such as 15,020.
func grouped[T int | int64](count T) string {
	digits := strconv.FormatInt(int64(count), 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// percent writes a share, such as 38.7%.
func percent(value float64) string { return strconv.FormatFloat(value, 'f', 1, 64) + "%" }

// change writes a share that may be a loss, such as +21.6% or −6.7%.
func change(value float64) string {
	switch text := percent(value); {
	case strings.Trim(text, "-0.%") == "":
		return "0.0%"
	case value < 0:
		return "−" + text[1:]
	default:
		return "+" + text
	}
}
