package replay

import "math"

// worseBy is from how many percent on a session counts as worse with a policy
// than without pruning. Less than that is the price of a placeholder or two.
const worseBy = -0.5

// binWidth is the width of the histogram's bins, in percentage points.
const binWidth = 10

// tally adds up what became of the sessions.
type tally struct {
	*Replay

	sessions, silent, unreadable int
	totals                       [][policies]total // by regime
	checks                       Checks
}

// total is what a policy did to all sessions in one regime.
type total struct {
	record // its calls are those of all sessions, added up by their number

	requests []int // by the number of the call: how many sessions made it
	worse    int
	worst    WorstSession
	bins     map[int]int // sessions, by bin
}

func newTally(r *Replay) *tally {
	t := &tally{Replay: r, totals: make([][policies]total, len(r.Regimes))}
	for i := range t.totals {
		for p := range t.totals[i] {
			t.totals[i][p] = total{bins: make(map[int]int), worst: WorstSession{saved: math.Inf(1)}}
		}
	}
	return t
}

func (t *tally) add(o *outcome) {
	if len(o.calls) == 0 {
		t.silent++
		return
	}
	t.sessions++
	for i, regime := range t.Regimes {
		base := o.records[i][none].usage().cost(regime)
		for p, record := range o.records[i] {
			total := &t.totals[i][p]
			total.add(record)
			total.session(o.session, saved(base, record.usage().cost(regime)))
		}
	}
}

// add adds a session's record.
func (t *total) add(r *record) {
	for i, call := range r.calls {
		if i == len(t.calls) {
			t.calls = append(t.calls, usage{})
			t.requests = append(t.requests, 0)
		}
		t.calls[i] = t.calls[i].plus(call)
		t.requests[i]++
	}
	t.changed += r.changed
	t.breaks += r.breaks
	t.pruned += r.pruned
	t.needed += r.needed
	t.replaced += r.replaced
	t.trimmed += r.trimmed
}

// session takes in how many percent of its cost a session saved.
func (t *total) session(s *session, percent float64) {
	if percent < worseBy {
		t.worse++
	}
	if percent < t.worst.saved {
		t.worst = WorstSession{Session: s.name, Place: s.place, CostSaved: rounded(percent), saved: percent}
	}
	t.bins[int(math.Floor(percent/binWidth))]++
}
