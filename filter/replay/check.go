package replay

import (
	"bytes"
	"fmt"

	"github.com/pointsman/pointsman/filter/decision"
)

// Checks counts the requests in which pruning broke a promise. All but Requests
// are zero where it keeps them.
type Checks struct {
	// Requests that were checked, over all regimes.
	Requests int `json:"requests"`
	// OtherChanges are messages of which more was changed than what a tool
	// result holds, or its form.
	OtherChanges int `json:"other_changes"`
	// Longer are messages that became longer (R3).
	Longer int `json:"longer"`
	// LostResults are messages in which a call lost its result.
	LostResults int `json:"lost_results"`
	// BrokenPrefixes are requests that do not begin with the bytes of the one
	// before, up to the first block that is pruned anew.
	BrokenPrefixes int `json:"broken_prefixes"`
	// Stateful are requests for which a pipeline that never saw the session's
	// earlier ones sends other bytes.
	Stateful int `json:"stateful"`
	// Miscounted are requests whose decision says other numbers of replaced and
	// trimmed results than were changed, or tokens saved that are negative or not
	// the difference that it says.
	Miscounted int `json:"miscounted"`
}

// Broken is how often a promise was broken.
func (c *Checks) Broken() int {
	return c.OtherChanges + c.Longer + c.LostResults + c.BrokenPrefixes + c.Stateful + c.Miscounted
}

func (c *Checks) add(more Checks) {
	c.Requests += more.Requests
	c.OtherChanges += more.OtherChanges
	c.Longer += more.Longer
	c.LostResults += more.LostResults
	c.BrokenPrefixes += more.BrokenPrefixes
	c.Stateful += more.Stateful
	c.Miscounted += more.Miscounted
}

// checker holds the requests of one session to the promises.
type checker struct {
	Checks

	broken []string // what was broken, in words
	where  string   // the request that is being checked
}

// failf counts a broken promise and says it.
func (c *checker) failf(counter *int, format string, values ...any) {
	*counter++
	c.broken = append(c.broken, c.where+": "+fmt.Sprintf(format, values...))
}

// piece checks a message that was changed.
func (c *checker) piece(index int, recorded, sent *piece) {
	switch {
	case len(sent.raw) > len(recorded.raw):
		c.failf(&c.Longer, "message %d is longer than it was: %d bytes instead of %d", index, len(sent.raw), len(recorded.raw))
	case !sameCalls(recorded, sent):
		c.failf(&c.LostResults, "message %d does not have the results that it had", index)
	case !sameFrame(recorded, sent):
		c.failf(&c.OtherChanges, "message %d is changed outside of what its tool results hold", index)
	}
}

func sameCalls(a, b *piece) bool {
	if len(a.results) != len(b.results) {
		return false
	}
	for i := range a.results {
		if a.results[i].id != b.results[i].id {
			return false
		}
	}
	return true
}

// prefix checks a request against the one before: the first block that differs
// must have been carried in full before.
func (c *checker) prefix(recorded, before, sent []*piece) {
	for i, p := range before {
		if p.same(sent[i]) {
			continue
		}
		if !newlyPruned(recorded[i], p, sent[i]) {
			c.failf(&c.BrokenPrefixes, "message %d is sent other than in the request before, and was pruned there already", i)
		}
		return
	}
}

func newlyPruned(recorded, before, sent *piece) bool {
	for i := range before.results {
		if was := before.content(i); !bytes.Equal(was, sent.content(i)) {
			return bytes.Equal(was, recorded.content(i))
		}
	}
	return false
}

// tokens checks the estimates of the decision.
func (c *checker) tokens(d *decision.Decision) {
	prompt, pruned, saved := d.GetPromptTokens(), d.GetPrunedTokens(), d.GetTokensSaved()
	if saved < 0 || saved != prompt-pruned {
		c.failf(&c.Miscounted, "the decision says %d tokens saved, from %d to %d", saved, prompt, pruned)
	}
}

// results checks the numbers of pruned results that the decision gives.
func (c *checker) results(recorded, sent []*piece, replaced, trimmed int) {
	changed := 0
	for i, p := range sent {
		if p == recorded[i] {
			continue
		}
		for j := range p.results {
			if !bytes.Equal(p.content(j), recorded[i].content(j)) {
				changed++
			}
		}
	}
	if changed != replaced+trimmed {
		c.failf(&c.Miscounted, "the decision says %d replaced and %d trimmed, and %d results are changed", replaced, trimmed, changed)
	}
}
