package classify

import (
	"math"

	"github.com/pointsman/pointsman/filter/decision"
)

// settings are the few numbers that are fitted after the sums.
type settings struct {
	// Temperature divides the sums of the tiers, so that their shares are
	// probabilities.
	Temperature float32
	// Doubt is how probable a higher tier must be, for each tier but the last, to
	// be taken instead: under-routing costs more than over-routing.
	Doubt [tierCount - 1]float32
	// CategoryShare is how much a follow-up's own category counts beside that of the
	// turn which it continues; it counts alone where its probability is above
	// CategorySure.
	CategoryShare, CategorySure float32
}

// decide takes the lowest tier above which little is probable.
func (s *settings) decide(v *verdict, p shares, hard float32) {
	tier, above := 0, 1-p[0]
	for tier < tierCount-1 && above > s.Doubt[tier] {
		tier++
		above -= p[tier]
	}
	level := float32(0)
	for k, share := range p {
		level += float32(k) * share
	}
	v.tier = decision.Simple + decision.Tier(tier)
	v.position = float64(sigmoid(level - float32(tier) + hardSteepness*(hard-hardMiddle)))
	v.confidence = float64(min(max(p[tier], 0), 1))
}

// How far hardness spreads over a tier's quarter, and where its middle is: at a text
// of 250 bytes.
const (
	hardSteepness = 4
	hardMiddle    = 2
)

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
