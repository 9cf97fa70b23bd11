package classify

import (
	"math"

	"github.com/pointsman/pointsman/filter/decision"
)

// verdict is what a text's signals amount to.
type verdict struct {
	category decision.Category
	// level is the difficulty in steps of a tier: 0 to 1 is simple, 3 to 4 is
	// reasoning.
	level float64
	// evidence is how many points the category has, second what the next one has.
	evidence, second float64
	confidence       float64
}

// doubt is how close below the next tier work counts as belonging to it: when
// in doubt the higher one.
const doubt = 0.08

// tier is the tier that the level belongs to.
func (v verdict) tier() decision.Tier {
	step := math.Floor(v.level + doubt)
	return decision.Simple + decision.Tier(min(max(step, 0), 3))
}

// position is where within the tier's quarter the level stands, 0 to 1.
func (v verdict) position(tier decision.Tier) float64 {
	return v.level + doubt - float64(tier-decision.Simple)
}

// judge weighs the signals of one text. The amount of material around it adds
// so many steps of a tier.
func judge(s *signals, amount float64) verdict {
	points := s.points()
	var v verdict
	v.category, v.evidence, v.second = points.best()
	if v.evidence < faint {
		v.category = s.unnamed()
	}
	v.level = s.level(v, amount)
	v.confidence = v.certainty()
	return v
}

// faint is how many points say nothing yet.
const faint = 0.8

// certainty is how likely the tier is right: more so far from the next tier,
// and where the category is plain.
func (v verdict) certainty() float64 {
	level := v.level + doubt
	distance := math.Abs(level - math.Round(level))
	if v.evidence < faint {
		return 0.4
	}
	lead := (v.evidence - v.second) / v.evidence
	return min(0.45+0.5*distance+0.15*lead, 0.97)
}
