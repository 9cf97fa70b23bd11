package classify

import (
	"math"

	"github.com/pointsman/pointsman/filter/decision"
)

// From how many characters on the amount of material counts: a message has
// been read to its end by then, and a reference is more than a page.
const (
	longMessage   = 4000
	longReference = 1500
)

// amount is what so much material adds to the work, in steps of a tier: a
// quarter for each doubling, one at most.
func amount(chars, from int) float64 {
	if chars <= from {
		return 0
	}
	return min(0.25*math.Log2(float64(chars)/float64(from)), 1)
}

// namedBy lets the kind of the reference name work that the message leaves
// open, such as "explain this". Nothing else of a reference counts (R6).
func (v verdict) namedBy(reference string) verdict {
	if v.evidence < strong && isProgram(reference) {
		v.category = decision.CodingGeneral
	}
	return v
}

// isProgram reports a text of which half the lines are code.
func isProgram(text string) bool {
	if text == "" {
		return false
	}
	s := scan(text)
	return s.code() >= s.lines[proseLine]+s.lines[bulletLine]
}
