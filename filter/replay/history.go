package replay

import "slices"

// placeholder is what the baselines put in the place of a result.
const placeholder = `"[old tool result removed]"`

// history is a session as the baselines see it: its tool results, oldest first.
type history struct {
	*session

	results []oldResult
	first   []int // by piece, the results before it; one more at the end
	start   []int // by piece, the bytes before it; one more at the end
}

// oldResult is a tool result of a history.
type oldResult struct {
	piece int
	round int // the model call that asked for it
	gain  int // bytes that a placeholder saves; 0 where it would be no shorter
}

func newHistory(s *session) *history {
	h := &history{session: s, first: []int{0}, start: []int{0}}
	for i, p := range s.pieces {
		round, _ := slices.BinarySearch(s.calls, i)
		for j := range p.results {
			gain := max(0, len(p.content(j))-len(placeholder))
			h.results = append(h.results, oldResult{piece: i, round: round, gain: gain})
		}
		h.first = append(h.first, len(h.results))
		h.start = append(h.start, h.start[i]+len(p.raw)+len(","))
	}
	return h
}

// before is how many results stand before a piece.
func (h *history) before(piece int) int { return h.first[piece] }

// beforeLast is how many results stand before a piece, without those of the last
// rounds.
func (h *history) beforeLast(rounds, piece int) int {
	end := h.before(piece)
	for last := -1; end > 0; end-- {
		round := h.results[end-1].round
		if round != last {
			last = round
			rounds--
		}
		if rounds < 0 {
			break
		}
	}
	return end
}

// gains sums up what placeholders for a range of results save, in bytes.
func (h *history) gains(from, to int) (total int, first int) {
	first = -1
	for i := from; i < to; i++ {
		if h.results[i].gain > 0 && first < 0 {
			first = i
		}
		total += h.results[i].gain
	}
	return total, first
}

// with is a piece with placeholders for its first results.
func (h *history) with(i, replaced int) *piece {
	p := h.pieces[i]
	out := &piece{results: slices.Clone(p.results)}
	done := 0
	for j := range p.results {
		at := p.results[j].content
		if at == (span{}) {
			continue
		}
		out.raw = append(out.raw, p.raw[done:at.start]...)
		began := len(out.raw)
		if content := p.content(j); j < replaced && len(content) > len(placeholder) {
			out.raw = append(out.raw, placeholder...)
			out.results[j].words = nil
		} else {
			out.raw = append(out.raw, content...)
		}
		out.results[j].content = span{began, len(out.raw)}
		done = at.end
	}
	out.raw = append(out.raw, p.raw[done:]...)
	h.words.note(out)
	return out
}
