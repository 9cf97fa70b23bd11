package replay

import (
	"fmt"
	"io"
	"strings"
)

// WriteText writes the report for people.
func (r *Report) WriteText(out io.Writer, s Style) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s\n\n", s.bold(r.headline()), r.policyLine())
	if len(r.Results) > 0 {
		columns(&text, r.table(s), "llrrrrrrrl")
		fmt.Fprintf(&text, "%s\n\n%s\n", s.dim(legend), s.bold("Sessions by the cost that pointsman saves them, in each regime"))
		columns(&text, r.histogram(s), "l")
		text.WriteByte('\n')
	}
	text.WriteString(r.verdict(s))
	_, err := io.WriteString(out, text.String())
	return err
}

const legend = `read/write: what a cached token costs to read and any other to write, relative to the input price. saved: of
the input, against no pruning. worst: the session that fares worst. worse: sessions that cost over 0.5% more.
changed: requests in which something is pruned. breaks: requests per session that do not begin with the bytes of
the one before. needed again: of the results that were pruned, those out of which a name was lost that the
assistant mentions later.`

func (r *Report) headline() string {
	text := fmt.Sprintf("%s, %s, %s input tokens as recorded",
		some(r.Sessions, "session"), some(r.Requests, "request"), grouped(r.InputTokens))
	if r.WithoutCalls > 0 {
		text += fmt.Sprintf(" (%s without a model call left out)", some(r.WithoutCalls, "session"))
	}
	return text
}

// policyLine says what pointsman pruned by.
func (r *Report) policyLine() string {
	line := fmt.Sprintf("model %s; prune: %s", r.Model, r.settings())
	if r.off {
		line += "\nprune.enabled is false in the configuration; this is what it would do"
	}
	return line
}

// settings are those of prune, less what each regime replaces and what is a list.
func (r *Report) settings() string {
	var settings []string
	_ = eachMember(r.Prune, func(name string, at span) error { // pointsman wrote it
		switch name {
		case "enabled", "cached_read_ratio", "cache_write_ratio", "exclude_tools":
		default:
			settings = append(settings, name+" "+strings.Trim(string(at.of(r.Prune)), `"`))
		}
		return nil
	})
	return strings.Join(settings, ", ")
}

func some(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}

func (r *Report) table(s Style) [][]cell {
	head := plain("read/write", "policy", "tokens saved", "cost saved", "worst", "worse", "changed", "breaks", "needed again", "worst session")
	for i := range head {
		head[i].paint = s.bold
	}
	rows := [][]cell{head}
	for i := range r.Results {
		row := r.Results[i].row(s, r.keep)
		switch {
		case r.Results[i].policy != configured:
			row[0].text = ""
		case i > 0:
			rows = append(rows, nil)
		}
		rows = append(rows, row)
	}
	return append(rows, nil)
}

func (r *Result) regime() Regime { return Regime{r.Read, r.Write} }

func (r *Result) row(s Style, keep int) []cell {
	row := plain(r.regime().String(), r.policy.title(keep), change(r.TokensSaved), change(r.CostSaved), change(r.Worst.CostSaved),
		grouped(r.Worse), grouped(r.Changed), fmt.Sprintf("%.1f", r.BreaksPerSession), percent(r.NeededPercent), r.Worst.Session)
	row[3].paint = func(text string) string { return s.signed(r.CostSaved, text) }
	row[4].paint = func(text string) string { return s.signed(r.Worst.CostSaved, text) }
	if r.policy == configured {
		row[1].paint = s.bold
	}
	return row
}

// histogram has a row for each bin and a column for each regime.
func (r *Report) histogram(s Style) [][]cell {
	head := plain("saved")
	sessions := make(map[int][]int)
	var results []*Result
	for i := range r.Results {
		if r.Results[i].policy == configured {
			results = append(results, &r.Results[i])
			head = append(head, cell{text: r.Results[i].regime().String(), paint: s.bold})
		}
	}
	head[0].paint = s.bold
	low, high := results[0].Histogram[0].From, results[0].Histogram[0].To
	for i, result := range results {
		for _, bin := range result.Histogram {
			if sessions[bin.From] == nil {
				sessions[bin.From] = make([]int, len(results))
			}
			sessions[bin.From][i] = bin.Sessions
			low, high = min(low, bin.From), max(high, bin.To)
		}
	}
	rows := [][]cell{head}
	for from := low; from < high; from += binWidth {
		row := plain(fmt.Sprintf("%d%% to %d%%", from, from+binWidth))
		for i := range results {
			count := 0
			if sessions[from] != nil {
				count = sessions[from][i]
			}
			row = append(row, cell{text: grouped(count)})
		}
		rows = append(rows, row)
	}
	return rows
}

// verdict says whether pruning kept its promises.
func (r *Report) verdict(s Style) string {
	c := &r.Checks
	if c.Requests == 0 {
		return "Nothing was replayed.\n"
	}
	if c.Broken() == 0 {
		return s.green("✓") + fmt.Sprintf(" %s checked over all regimes: nothing but tool results changed, none was lost or became longer, "+
			"every\n  request begins with the one before up to what is newly pruned, and the last one alone is sent the same.\n",
			some(c.Requests, "request"))
	}
	return s.red("✗") + fmt.Sprintf(" of %s checked over all regimes: %d changed beyond tool results, %d longer, %d lost a result, "+
		"%d with a broken prefix,\n  %d sent otherwise alone, %d miscounted.\n",
		some(c.Requests, "request"), c.OtherChanges, c.Longer, c.LostResults, c.BrokenPrefixes, c.Stateful, c.Miscounted)
}
