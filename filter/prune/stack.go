package prune

// stack holds the results that could be pruned now, the newest on top. A cut
// takes everything from one entry up.
//
// What a cut from an entry gains is, whatever else, less by weight·saved −
// rewrite·before the deeper the entry stands: the best place is where that is
// least. Each entry remembers the best place at or below it, so a request that
// makes no cut costs no more however many results are old.
type stack struct {
	entries []entry
	weights [ahead + 1]int // what the best places were chosen by
	rewrite int
}

type entry struct {
	result int
	before int // tokens in front of it, as they are sent
	saved  int // tokens that the entries below would save
	saves  int
	best   [ahead + 1]int // the best place to cut, at or below, for each weight
}

func (s *stack) empty() bool { return len(s.entries) == 0 }

func (s *stack) newest() *entry { return &s.entries[len(s.entries)-1] }

func (s *stack) clear() { s.entries = s.entries[:0] }

// total is what all entries together would save.
func (s *stack) total() int {
	top := s.newest()
	return top.saved + top.saves
}

func (s *stack) push(result, before, saves int) {
	saved := 0
	if !s.empty() {
		saved = s.total()
	}
	s.entries = append(s.entries, entry{result: result, before: before, saved: saved, saves: saves})
	s.choose(len(s.entries) - 1)
}

// take removes the entries from a place up, and returns them; they are good
// until the next push.
func (s *stack) take(from int) []entry {
	taken := s.entries[from:]
	s.entries = s.entries[:from]
	return taken
}

// weigh chooses the best places anew where the weights have changed.
func (s *stack) weigh(weights [ahead + 1]int, rewrite int) {
	if weights == s.weights && rewrite == s.rewrite {
		return
	}
	s.weights, s.rewrite = weights, rewrite
	for i := range s.entries {
		s.choose(i)
	}
}

// choose chooses the best places at or below an entry, by those below it.
func (s *stack) choose(at int) {
	for d := range s.entries[at].best {
		s.entries[at].best[d] = at
		if at == 0 {
			continue
		}
		if below := s.entries[at-1].best[d]; s.forgone(d, below) <= s.forgone(d, at) {
			s.entries[at].best[d] = below
		}
	}
}

// forgone is what a cut at a place gains less than one could that left nothing
// below it.
func (s *stack) forgone(d, at int) int {
	e := &s.entries[at]
	return s.weights[d]*e.saved - s.rewrite*e.before
}
