package classify

import (
	"math"

	"github.com/pointsman/pointsman/filter/classify/signals"
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
	// CategoryScale is how much more the category of the turn that is continued
	// counts than the follow-up's own.
	CategoryScale float32
	// HardBias and Hard say by what questions that only a strong model answers
	// right differ from those that only a weak one does.
	HardBias float32
	Hard     [hardInputs]float32
}

// hardInputs are the counts of a message, the shares of its tiers and those of
// its categories.
const hardInputs = signals.Counts + tierCount + categoryCount

// hardness is more for what a weak model fails at, -1 to 1.
func (s *settings) hardness(text *signals.Text, p shares, l likelihoods) float32 {
	sum, rest := s.HardBias, s.Hard[:]
	for _, inputs := range [...][]float32{text.Dense[signals.DenseCount-signals.Counts:], p[:], l[:]} {
		for i, value := range inputs {
			sum += value * rest[i]
		}
		rest = rest[len(inputs):]
	}
	return max(-1, min(sum, 1))
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
	v.position = float64(sigmoid(levelSteepness*(level-float32(tier)) + hardSteepness*hard))
	v.confidence = float64(min(max(p[tier], 0), 1))
}

// How far levels and hardness spread over a tier's quarter. Chosen on questions
// with two models' answers, for subjects that hardness was not fitted on.
const (
	levelSteepness = 1
	hardSteepness  = 10
)

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
