package replay

// A rule of a baseline says how many of a session's oldest results are replaced
// in the request that holds the pieces before one, when some are already, and the
// request before held fewer pieces.
type rule func(h *history, pieces, before, replaced int) int

// slidingResults is how many results the sliding window keeps, and how many the
// batches replace at once.
const slidingResults = 10

// sliding keeps the last results and replaces a further one with every one that
// comes.
func sliding(h *history, pieces, _, _ int) int { return max(0, h.before(pieces)-slidingResults) }

// batches replaces results ten at a time, and keeps those that come after.
func batches(keep int) rule {
	return func(h *history, pieces, _, _ int) int {
		return max(0, h.before(pieces)-keep) / slidingResults * slidingResults
	}
}

// breakEven replaces everything older than the last rounds as soon as it pays:
// when what the expected calls would have read of it is more than what the
// provider charges for reading anew what stands behind the first change.
func breakEven(keepRounds int, r Regime) rule {
	const expectedCalls = 20
	return func(h *history, pieces, before, replaced int) int {
		end := h.beforeLast(keepRounds, pieces)
		removable, first := h.gains(replaced, end)
		if removable == 0 {
			return replaced
		}
		again := max(0, h.start[before]-h.start[h.results[first].piece]-removable)
		if float64(removable)*r.Read*expectedCalls > (r.Write-r.Read)*float64(again) {
			return end
		}
		return replaced
	}
}

// baseline sends a session's requests by a rule.
type baseline struct {
	*history

	rule     rule
	replaced int // results, from the oldest
	before   int // pieces of the request before
	sent     []*piece
}

// send is the request that holds the first pieces, as it goes out.
func (b *baseline) send(pieces int) []*piece {
	replaced := b.rule(b.history, pieces, b.before, b.replaced)
	sent := append(make([]*piece, 0, pieces), b.sent...)
	sent = append(sent, b.pieces[b.before:pieces]...)
	for i := b.replaced; i < replaced; i++ {
		if at := b.results[i].piece; i+1 == replaced || b.results[i+1].piece != at {
			sent[at] = b.with(at, i+1-b.first[at])
		}
	}
	b.replaced, b.before, b.sent = replaced, pieces, sent
	return sent
}
