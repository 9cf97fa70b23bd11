package main

import (
	"fmt"
	"strings"
)

// whole is the report as Markdown.
func (r *report) whole() string {
	var text strings.Builder
	writeTable(&text, []string{
		"p50, ms", "p50 ×", "p99 ×", fmt.Sprintf("requests/s, %d clients", r.Clients), "requests/s ×",
		"CPU ms", "CPU ×", "Envoy's CPU ms", "Envoy's CPU ×", "peak MB", "bodies in memory per request",
	}, r.Rows, (*row).cells)
	fmt.Fprintf(&text, "\nPairs: pointsman / a processor that does nothing, each behind an Envoy with the same "+
		"configuration; ×: their ratio, the median of %d rounds (least–greatest). CPU: the processor's, for a request. "+
		"\"No log\": without Envoy's access logs, so that what is left is the processor; otherwise the one writes its "+
		"decision log and the other swallows it. %d CPUs for everything, client and upstream included; load %s before.\n\n",
		r.plan.rounds, r.CPUs, r.Load)
	text.WriteString(r.linear())
	return text.String()
}

// short is the part of it that a reader in a hurry wants.
func (r *report) short() string {
	var text strings.Builder
	writeTable(&text, []string{"p50, ms", "p50 ×", "requests/s ×", "CPU ms"}, r.Rows, (*row).shortCells)
	fmt.Fprintf(&text, "\npointsman / an external processor that does nothing, through the same Envoy; ×: their ratio, "+
		"the median of %d rounds. %d CPUs for everything, client and upstream included.\n", r.plan.rounds, r.CPUs)
	return text.String()
}

// linear shows that a megabyte costs the same in a body of any size.
func (r *report) linear() string {
	var text strings.Builder
	sized := make([]row, 0, len(r.Rows))
	for _, one := range r.Rows {
		if one.Bytes >= sizeable/2 {
			sized = append(sized, one)
		}
	}
	writeTable(&text, []string{"CPU ms per MB", "Envoy's CPU ms per MB"}, sized, (*row).linearCells)
	return text.String()
}

// writeTable has the mode and the body in front of the cells.
func writeTable(text *strings.Builder, head []string, rows []row, cells func(*row) []string) {
	text.WriteString("| mode | body | " + strings.Join(head, " | ") + " |\n| --- |" + strings.Repeat(" ---: |", len(head)+1) + "\n")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(text, "| %s | %s | %s |\n", r.name(), bytesInWords(r.Bytes), strings.Join(cells(r), " | "))
	}
}

func (r *row) cells() []string {
	return []string{
		couple("%.2f", r.Pointsman.P50, r.Echo.P50), r.Ratios.P50.String(), r.Ratios.P99.String(),
		couple("%.0f", r.Pointsman.PerSecond, r.Echo.PerSecond), r.Ratios.PerSecond.String(),
		couple("%.2f", r.Pointsman.CPU, r.Echo.CPU), r.Ratios.CPU.String(),
		couple("%.2f", r.Pointsman.EnvoyCPU, r.Echo.EnvoyCPU), r.Ratios.EnvoyCPU.String(),
		couple("%.0f", inMB(r.Pointsman.Peak), inMB(r.Echo.Peak)), r.inFlight(),
	}
}

func (r *row) shortCells() []string {
	return []string{
		couple("%.2f", r.Pointsman.P50, r.Echo.P50), fmt.Sprintf("%.2f", r.Ratios.P50.Median),
		fmt.Sprintf("%.2f", r.Ratios.PerSecond.Median), couple("%.2f", r.Pointsman.CPU, r.Echo.CPU),
	}
}

// linearCells are milliseconds for a megabyte: seconds for 1,000 requests are
// milliseconds for one.
func (r *row) linearCells() []string {
	bodies := float64(r.Bytes) / megabyte
	return []string{
		couple("%.2f", r.Pointsman.CPU/bodies, r.Echo.CPU/bodies), couple("%.2f", r.Pointsman.EnvoyCPU/bodies, r.Echo.EnvoyCPU/bodies),
	}
}

func (r *row) name() string { return setup{mode: r.Mode, unlogged: r.Unlogged}.name() }

// inFlight says nothing of small bodies, beside which a process is large.
func (r *row) inFlight() string {
	if r.Bytes < sizeable/2 {
		return "-"
	}
	return couple("%.1f", r.InFlight.Pointsman, r.InFlight.Echo)
}

func couple(format string, a, b float64) string { return fmt.Sprintf(format+" / "+format, a, b) }

func (s spread) String() string { return fmt.Sprintf("**%.2f** (%.2f–%.2f)", s.Median, s.Min, s.Max) }

func inMB(size int64) float64 { return float64(size) / megabyte }

func bytesInWords(size int) string {
	if size < megabyte/2 {
		return fmt.Sprintf("%d KB", (size+kilobyte/2)/kilobyte)
	}
	return fmt.Sprintf("%d MB", (size+megabyte/2)/megabyte)
}
