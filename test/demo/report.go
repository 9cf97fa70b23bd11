package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pointsman/pointsman/filter/conversation"
)

// A report is all that the demo found out.
type report struct {
	Sessions []session `json:"sessions"`
	// Outage are the requests while pointsman was down and after it came back.
	Outage []row `json:"outage"`
	// CostUSD is what the sessions cost, and AllLargestCostUSD what they cost with
	// every request sent to the largest model.
	CostUSD           float64 `json:"cost_usd"`
	LargestModel      string  `json:"largest_model"`
	AllLargestCostUSD float64 `json:"all_largest_cost_usd"`
	// Envoy is what Envoy's admin port shows of the sessions.
	Envoy counts `json:"envoy"`
	// Problems are what is not as it should be.
	Problems []string `json:"problems"`
}

func (r *report) writeJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// writeText writes what a person reads.
func (r *report) writeText(out io.Writer, s style) error {
	var text strings.Builder
	r.table().print(&text, s)
	fmt.Fprintf(&text, "%s\n\nThe sessions cost %s. %s\n\n", s.dim(legend), s.bold(usd(r.CostUSD)), r.comparison(s))
	fmt.Fprintln(&text, "Envoy itself counted the sessions, for its admin port's /stats, by decision:")
	r.decisions().print(&text, s)
	fmt.Fprintf(&text, "and by route, in vhost.pointsman.route.<model>.upstream_rq_200: %s\n", r.routes())
	if len(r.Problems) == 0 {
		fmt.Fprintf(&text, "\n%s\n", s.green(verdict))
	}
	_, err := io.WriteString(out, text.String())
	return err
}

const verdict = `✓ Every request was answered with 200. While pointsman was up, each has its decision on record, and its
  provider received, byte for byte, what the client sent, but for the model's value.`

const legend = `prompt tokens: pointsman's estimate → the stand-in provider's count. added: ms that Envoy waited for pointsman.
body ✓: the provider got the client's bytes, but for the model's value; ~: the same JSON, rewritten by Envoy.`

// comparison sets the cost against that of the same sessions without a choice.
func (r *report) comparison(s style) string {
	const percent = 100
	saved := fmt.Sprintf("%.0f%%", percent*(1-r.CostUSD/r.AllLargestCostUSD))
	return fmt.Sprintf("The same sessions with every request sent to %s cost %s: %s saved.",
		r.LargestModel, usd(r.AllLargestCostUSD), s.bold(s.green(saved)))
}

func (r *report) table() table {
	t := table{columns: []column{
		{title: "#"},
		{title: "asked"},
		{title: "category"},
		{title: "tier"},
		{title: "model"},
		{title: "prompt tokens", right: true},
		{title: "cost USD", right: true},
		{title: "status"},
		{title: "ms", right: true},
		{title: "added", right: true},
		{title: "body"},
	}}
	for i, played := range r.Sessions {
		t.lines = append(t.lines, line{title: title(played.API)})
		for j, one := range played.Rows {
			if i > 0 && one.decidedAs(r.Sessions[0].Rows, j) {
				one.Why = ""
			}
			t.lines = append(t.lines, one.line())
		}
		t.lines = append(t.lines, line{})
	}
	for _, one := range r.Outage {
		t.lines = append(t.lines, one.line())
	}
	return t
}

// title is what people call an API.
func title(api string) string {
	switch conversation.API(api) {
	case conversation.OpenAIChat:
		return "over OpenAI's Chat Completions"
	case conversation.OpenAIResponses:
		return "the same session over OpenAI's Responses"
	case conversation.AnthropicMessages:
		return "and over Anthropic's Messages"
	default:
		return api
	}
}

// decidedAs reports whether the row was decided as that of the first session
// was, so that the reason need not be said again.
func (r *row) decidedAs(first []row, at int) bool {
	return at < len(first) && first[at].Asked == r.Asked && first[at].Model == r.Model &&
		first[at].Tier == r.Tier && first[at].Category == r.Category
}

func (r *report) decisions() table {
	t := table{columns: []column{
		{title: "model"}, {title: "tier"}, {title: "requests", right: true}, {title: "prompt tokens", right: true},
	}}
	for _, c := range r.Envoy.Decisions {
		t.lines = append(t.lines, line{cells: []string{c.Model, c.Tier, grouped(c.Requests), grouped(c.PromptTokens)}})
	}
	return t
}

func (r *report) routes() string {
	routes := make([]string, 0, len(r.Envoy.Routes))
	for _, model := range slices.Sorted(maps.Keys(r.Envoy.Routes)) {
		routes = append(routes, fmt.Sprintf("%s %d", model, r.Envoy.Routes[model]))
	}
	return strings.Join(routes, ", ")
}

// line is a row as the table shows it. What only a decision can tell is a dash
// without one.
func (r *row) line() line {
	status := strconv.Itoa(r.Status)
	if r.Stream {
		status += " sse"
	}
	cells := []string{
		r.Label, r.Asked, "-", "-", r.Model, grouped(r.PromptTokens), "-",
		status, fmt.Sprintf("%.1f", r.Milliseconds), "-", "~",
	}
	if r.Decision != "" {
		cells[2], cells[3] = r.Category, r.Tier
		cells[5] = grouped(r.EstimatedTokens) + " → " + grouped(r.PromptTokens)
		cells[6] = fmt.Sprintf("%.6f", r.CostUSD)
		cells[9] = fmt.Sprintf("%.1f", r.AddedMilliseconds)
		cells[10] = "✗"
	}
	if r.OnlyModelChanged {
		cells[10] = "✓"
	}
	return line{cells: cells, note: r.Why}
}
