package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
)

// table is the report as Markdown.
func (r *report) table() string {
	var text strings.Builder
	fmt.Fprintf(&text, "| body | p50, ms | p50 × | p99 × | requests/s, %d clients | requests/s × | CPU s per 1,000 | CPU × | Envoy's CPU × | "+
		"peak MB | bodies in memory per request |\n", r.Clients)
	text.WriteString("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for i := range r.Rows {
		text.WriteString(r.Rows[i].line())
	}
	fmt.Fprintf(&text, "\n%s pointsman / a processor that does nothing; ×: their ratio, the median of %d rounds (least–greatest). "+
		"%d CPUs for everything, load %s before.\n", "Pairs:", r.plan.rounds, r.CPUs, r.Load)
	return text.String()
}

func (r *row) line() string {
	pair := func(format string, a, b float64) string { return fmt.Sprintf(format+" / "+format, a, b) }
	cells := []string{
		bytesInWords(r.Bytes),
		pair("%.2f", r.Pointsman.P50, r.Echo.P50), r.Ratios.P50.String(), r.Ratios.P99.String(),
		pair("%.0f", r.Pointsman.PerSecond, r.Echo.PerSecond), r.Ratios.PerSecond.String(),
		pair("%.2f", r.Pointsman.CPU, r.Echo.CPU), r.Ratios.CPU.String(), r.Ratios.EnvoyCPU.String(),
		pair("%.0f", inMB(r.Pointsman.Peak), inMB(r.Echo.Peak)),
		pair("%.1f", r.InFlight.Pointsman, r.InFlight.Echo),
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

func (s spread) String() string { return fmt.Sprintf("**%.2f** (%.2f–%.2f)", s.Median, s.Min, s.Max) }

func inMB(size int64) float64 { return float64(size) / megabyte }

func bytesInWords(size int) string {
	if size < megabyte {
		return fmt.Sprintf("%d KB", (size+kilobyte/2)/kilobyte)
	}
	return fmt.Sprintf("%d MB", (size+megabyte/2)/megabyte)
}

// The lines between which a file has the table.
const (
	beginMarker = "<!-- bench:begin -->"
	endMarker   = "<!-- bench:end -->"
)

// write puts the table into files.
func (r *report) write(files []string) error {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if text, err = between(text, "\n"+r.table()); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// between replaces what stands between the markers.
func between(text []byte, table string) ([]byte, error) {
	before, rest, begins := bytes.Cut(text, []byte(beginMarker+"\n"))
	_, after, ends := bytes.Cut(rest, []byte(endMarker+"\n"))
	if !begins || !ends {
		return nil, fmt.Errorf("has no line %s with a line %s after it: add them where the table is to stand", beginMarker, endMarker)
	}
	return slices.Concat(before, []byte(beginMarker+"\n"+table+"\n"+endMarker+"\n"), after), nil
}
