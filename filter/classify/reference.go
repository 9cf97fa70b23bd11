package classify

import (
	"math"

	"github.com/pointsman/pointsman/filter/classify/signals"
	"github.com/pointsman/pointsman/filter/decision"
)

// raised moves the tiers up by material that was not read for what it says: a
// reference, and the middle of a giant message. With a page of it hardly
// anything is simple, with a long document hardly anything medium. Material
// alone needs no deduction.
func (p shares) raised(framed Framed) shares {
	move(&p, 0, 2*(amount(framed.ReferenceBytes, page/2)+amount(framed.MessageBytes, 2*window)))
	move(&p, 1, amount(framed.ReferenceBytes, page)+amount(framed.MessageBytes, 2*window))
	return p
}

// move moves a share of a tier to the next.
func move(p *shares, tier int, share float32) {
	moved := min(share, 1) * p[tier]
	p[tier] -= moved
	p[tier+1] += moved
}

// page is how many bytes of a reference are no long document yet.
const page = 1500

// amount is a quarter for each doubling of what is usual.
func amount(bytes, usual int) float32 {
	if bytes <= usual {
		return 0
	}
	return float32(0.25 * math.Log2(float64(bytes)/float64(usual)))
}

// namedBy lets the kind of the reference name work that the message leaves open,
// such as "explain this". Nothing else of a reference counts (R6).
func namedBy(category decision.Category, reference string) decision.Category {
	if (category == decision.Chat || category == decision.FactualQA) && signals.IsProgram(reference) {
		return decision.CodingGeneral
	}
	return category
}
