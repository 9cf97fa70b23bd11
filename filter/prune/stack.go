package prune

import (
	"slices"
	"sort"
)

// stack holds the results that could be pruned now, the newest on top. A cut
// takes everything from one entry up.
//
// What a cut from an entry gains is, whatever else, less by weight·saved −
// rewrite·before: the best place is where that is least. Entries are points with
// saved to the right and before upwards, so it is on their upper convex hull,
// whatever the weight, and further to the right the less a saved token weighs. A
// request that makes no cut so costs next to nothing, however many results are
// old.
type stack struct {
	entries []entry
	hull    []int // of them, the first so many; what stands behind is not valid
	corners int   // how many of the hull
}

type entry struct {
	result int
	before int // tokens in front of it, as they are sent
	saved  int // tokens that the entries below would save
	saves  int

	// What its push did to the hull, for the take that undoes it.
	corner  int // where it was put
	covered int // what stood there
	corners int // how many there were
}

func (s *stack) empty() bool { return len(s.entries) == 0 }

func (s *stack) newest() *entry { return &s.entries[len(s.entries)-1] }

func (s *stack) clear() { s.entries, s.corners = s.entries[:0], 0 }

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
	s.extend(s.newest())
}

// extend puts the newest entry on the hull, in the place of the corners that are
// none any more.
func (s *stack) extend(top *entry) {
	top.corners = s.corners
	top.corner = sort.Search(max(s.corners-1, 0), func(i int) bool { return !s.above(i+1, top) }) + min(s.corners, 1)
	if s.corners = top.corner + 1; s.corners > len(s.hull) {
		s.hull = append(s.hull, 0)
	}
	top.covered = s.hull[top.corner]
	s.hull[top.corner] = len(s.entries) - 1
}

// above reports whether a corner stands above the line from the one to its left
// to an entry to its right.
func (s *stack) above(corner int, right *entry) bool {
	left, middle := s.corner(corner-1), s.corner(corner)
	return (middle.before-left.before)*(right.saved-middle.saved) > (right.before-middle.before)*(middle.saved-left.saved)
}

func (s *stack) corner(i int) *entry { return &s.entries[s.hull[i]] }

// best is the place where a cut gains most, where saved tokens have a weight; of
// equal ones the deepest.
func (s *stack) best(weight, rewrite int) int {
	return s.hull[sort.Search(s.corners-1, func(i int) bool {
		here, next := s.corner(i), s.corner(i+1)
		return weight*(next.saved-here.saved) >= rewrite*(next.before-here.before)
	})]
}

// take removes the entries from a place up, and returns them; they are good
// until the next push.
func (s *stack) take(from int) []entry {
	taken := s.entries[from:]
	for _, entry := range slices.Backward(taken) {
		s.hull[entry.corner], s.corners = entry.covered, entry.corners
	}
	s.entries = s.entries[:from]
	return taken
}
