package decision

import "fmt"

// Tier says how capable a model must be to answer well. Tiers are ordered;
// when in doubt the higher one is right, since a tier too low costs an answer
// and a tier too high costs cents.
type Tier int8

// The tiers, lowest first. NoTier is the tier of work that was not classified.
const (
	NoTier    Tier = iota
	Simple         // any small model gets it right
	Medium         // several steps, or real domain knowledge
	Complex        // many parts held together
	Reasoning      // a chain of deduction where one slip ruins it
)

var tierNames = [...]string{NoTier: "", Simple: "simple", Medium: "medium", Complex: "complex", Reasoning: "reasoning"}

// String is the tier's name in configuration, headers and records.
func (t Tier) String() string { return tierNames[t] }

// ParseTier reads a tier's name. The empty name is NoTier.
func ParseTier(name string) (Tier, error) {
	for tier, known := range tierNames {
		if name == known {
			return Tier(tier), nil
		}
	}
	return NoTier, fmt.Errorf("unknown tier %q: use simple, medium, complex or reasoning", name)
}

// Difficulty places a position within the tier, 0 to 1, on the scale of 0 to 1
// that all tiers share. Each tier owns a quarter, so a difficulty ranks requests
// and never contradicts their tier. NoTier is 0.
func (t Tier) Difficulty(position float64) float64 {
	if t == NoTier {
		return 0
	}
	// Just below the next quarter, so that a position of 1 stays in the tier.
	const below = 1 - 1e-9
	return (float64(t-Simple) + min(max(position, 0), below)) / float64(Reasoning)
}
