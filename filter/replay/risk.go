package replay

// risk watches whether names that were pruned are needed again: a name that
// stood in what was taken out of a result, that stands nowhere in a request as it
// is sent, and that the assistant mentions in its answer to it or later. It
// overstates: the assistant may know a name by itself, or ask for it anew.
type risk struct {
	carried []int  // by word, the pieces of the request that hold it
	pruned  []bool // by result
	needed  []bool // by result
}

func newRisk(h *history) risk {
	return risk{
		carried: make([]int, len(h.words.index)),
		pruned:  make([]bool, len(h.results)),
		needed:  make([]bool, len(h.results)),
	}
}

// observe looks at a request, of which the first pieces are those of the one
// before.
func (r *risk) observe(h *history, before, sent []*piece, kept int) {
	for i := kept; i < len(sent); i++ {
		if i < len(before) {
			r.carry(before[i], -1)
		}
		r.carry(sent[i], 1)
	}
	for i, p := range sent {
		if p != h.pieces[i] {
			r.judge(h, i, p)
		}
	}
}

func (r *risk) carry(p *piece, by int) {
	for _, w := range p.words {
		r.carried[w] += by
	}
}

// judge looks at a piece that was changed.
func (r *risk) judge(h *history, at int, p *piece) {
	for i := range p.results {
		number := h.first[at] + i
		if string(p.content(i)) == string(h.pieces[at].content(i)) {
			continue
		}
		r.pruned[number] = true
		r.needed[number] = r.needed[number] || r.misses(h.pieces[at].results[i].words)
	}
}

// misses reports whether one of the words of a result is not carried. It is
// mentioned in what follows then: what the assistant said before is carried.
func (r *risk) misses(words []word) bool {
	for _, w := range words {
		if r.carried[w] == 0 {
			return true
		}
	}
	return false
}

func count(set []bool) (n int) {
	for _, is := range set {
		if is {
			n++
		}
	}
	return n
}
