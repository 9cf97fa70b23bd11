package replay

import (
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Report is what a replay found out. In JSON, tokens are bytes of the messages
// divided by four, costs are in the price of one input token, and what ends in
// _percent is relative to the same sessions without pruning.
type Report struct {
	// Model is what the requests asked for.
	Model string `json:"model"`
	// Prune has the settings of the policy "pointsman". Its two ratios are
	// replaced by those of each regime, and it is enabled in any case.
	Prune jsontext.Value `json:"prune"`
	// Sessions that were replayed.
	Sessions int `json:"sessions"`
	// WithoutCalls are the sessions that hold no model call; nothing else counts
	// them.
	WithoutCalls int `json:"without_calls"`
	// Unreadable are the lines and files that could not be read or replayed;
	// nothing else counts them.
	Unreadable int `json:"unreadable"`
	// Requests are the model calls of the sessions.
	Requests int `json:"requests"`
	// InputTokens is what they add up to without pruning.
	InputTokens int64 `json:"input_tokens"`
	// Results has each policy in each regime.
	Results []Result `json:"results"`
	// Checks are the promises that pruning was held to.
	Checks Checks `json:"checks"`

	off  bool
	keep int
}

// Result is one policy in one regime.
type Result struct {
	// Policy is "pointsman", or a baseline: "break_even", "batches" or "sliding".
	Policy string  `json:"policy"`
	Read   float64 `json:"cached_read_ratio"`
	Write  float64 `json:"cache_write_ratio"`

	InputTokens  int64   `json:"input_tokens"`
	TokensSaved  float64 `json:"tokens_saved_percent"`
	CachedTokens int64   `json:"cached_tokens"` // of the input tokens, those read from the cache
	Cost         float64 `json:"cost"`
	CostSaved    float64 `json:"cost_saved_percent"`

	// Worst is the session that saved least of its cost.
	Worst WorstSession `json:"worst_session"`
	// Worse are the sessions that cost over half a percent more.
	Worse int `json:"sessions_worse"`

	// Changed are the requests in which something is pruned.
	Changed int `json:"requests_changed"`
	// Breaks are the requests that do not begin with the bytes of the one before.
	Breaks           int     `json:"prefix_breaks"`
	BreaksPerSession float64 `json:"prefix_breaks_per_session"`

	// Pruned are the tool results that are replaced or trimmed in some request.
	Pruned int `json:"results_pruned"`
	// Replaced and Trimmed are the results that the session's last requests hold
	// in that form; of the policy "pointsman" alone.
	Replaced int `json:"results_replaced"`
	Trimmed  int `json:"results_trimmed"`
	// Needed are the pruned results out of which a name was lost that came up
	// again: see the command's help.
	Needed        int     `json:"needed_again"`
	NeededPercent float64 `json:"needed_again_percent"`

	// Histogram counts the sessions by the percentage of their cost that they
	// saved.
	Histogram []Bin `json:"histogram"`
	// Calls adds up the sessions' first calls, their second ones and so on.
	Calls []Call `json:"calls"`

	policy policy
}

// WorstSession is the session that fared worst with a policy.
type WorstSession struct {
	Session   string  `json:"session"`
	Place     string  `json:"place"` // file and line
	CostSaved float64 `json:"cost_saved_percent"`

	saved float64
}

// Bin is one bin of a histogram. It includes From and not To, in percent.
type Bin struct {
	From     int `json:"from"`
	To       int `json:"to"`
	Sessions int `json:"sessions"`
}

// Call is the model call of one number, in all sessions that made it.
type Call struct {
	Number   int     `json:"call"`
	Sessions int     `json:"sessions"`
	BaseCost float64 `json:"base_cost"` // without pruning
	Cost     float64 `json:"cost"`
}

// Failed reports whether something could not be read, or a promise was broken.
func (r *Report) Failed() bool { return r.Unreadable > 0 || r.Checks.Broken() > 0 }

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

func (t *tally) report() *Report {
	report := &Report{
		Model: t.Model, Prune: t.settings, off: t.off, keep: t.keep,
		Sessions: t.sessions, WithoutCalls: t.silent, Unreadable: t.unreadable,
		Results: []Result{}, Checks: t.checks,
	}
	if t.sessions == 0 {
		return report
	}
	base := &t.totals[0][none]
	report.InputTokens = base.usage().tokens()
	for _, sessions := range base.requests {
		report.Requests += sessions
	}
	for i := range t.totals {
		for p := configured; p < policies; p++ {
			report.Results = append(report.Results, t.result(i, p))
		}
	}
	return report
}

func (t *tally) result(i int, p policy) Result {
	regime, base, total := t.Regimes[i], &t.totals[i][none], &t.totals[i][p]
	before, after := base.usage(), total.usage()
	return Result{
		Policy: p.String(), policy: p, Read: regime.Read, Write: regime.Write,
		InputTokens:  after.tokens(),
		TokensSaved:  rounded(saved(float64(before.total()), float64(after.total()))),
		CachedTokens: after.read / bytesPerToken,
		Cost:         rounded(after.cost(regime)),
		CostSaved:    rounded(saved(before.cost(regime), after.cost(regime))),
		Worst:        total.worst, Worse: total.worse, Changed: total.changed,
		Breaks: total.breaks, BreaksPerSession: rounded(float64(total.breaks) / float64(t.sessions)),
		Pruned: total.pruned, Replaced: total.replaced, Trimmed: total.trimmed,
		Needed: total.needed, NeededPercent: rounded(100 * float64(total.needed) / float64(max(total.pruned, 1))),
		Histogram: histogram(total.bins), Calls: calls(regime, base, total),
	}
}

// histogram has the bins from the first that is not empty to the last.
func histogram(bins map[int]int) []Bin {
	filled := slices.Sorted(maps.Keys(bins))
	var out []Bin
	for bin := filled[0]; bin <= filled[len(filled)-1]; bin++ {
		out = append(out, Bin{From: bin * binWidth, To: (bin + 1) * binWidth, Sessions: bins[bin]})
	}
	return out
}

func calls(regime Regime, base, total *total) []Call {
	out := make([]Call, len(total.calls))
	for i := range out {
		out[i] = Call{
			Number: i + 1, Sessions: total.requests[i],
			BaseCost: rounded(base.calls[i].cost(regime)), Cost: rounded(total.calls[i].cost(regime)),
		}
	}
	return out
}

// rounded is a number to two decimals, as reports have it.
func rounded(value float64) float64 { return math.Round(value*100) / 100 }
