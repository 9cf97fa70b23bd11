package classify

import (
	"math"

	"github.com/pointsman/pointsman/filter/decision"
)

// level adds up how hard the work is.
func (s *signals) level(v verdict, amount float64) float64 {
	level := profiles[v.category].base + s.heaviness(v.category) + s.size() + s.parts(v.category) + amount
	if v.evidence < faint && s.words >= 4 {
		level = max(level, 1) // not understood: in doubt the higher
	}
	return s.settle(level, v.category)
}

// hardest is the level that even proofs only approach, so that they still rank.
const hardest = 4 - doubt

// settle keeps a level between floor and ceiling. The last half step below the
// ceiling holds all that would pass it, in order.
func (s *signals) settle(level float64, category decision.Category) float64 {
	ceiling := profiles[category].ceiling
	if s.deduces(category) {
		ceiling = hardest
	}
	if bend := ceiling - 0.5; level > bend {
		level = ceiling - 0.5*math.Exp(-2*(level-bend))
	}
	return max(level, profiles[category].floor)
}

// heaviness is what the cues say. What a text is about weighs less than what is
// to be done with it: a question about proofs is no proof.
func (s *signals) heaviness(category decision.Category) float64 {
	sum := 0.0
	for i, w := range weights {
		if w.tier != 0 && s.cues[i] > 0 {
			sum += w.tier * min(s.cues[i], 2) * shareOf(cue(i), category)
		}
	}
	return sum
}

func shareOf(c cue, category decision.Category) float64 {
	switch {
	case weights[c].category == category:
		return 1
	case demands.has(c):
		return profiles[category].demands
	case subjects.has(c):
		return profiles[category].subjects
	case machinery.has(c):
		return profiles[category].machinery
	default:
		return 1
	}
}

// deduces reports work in which one slip ruins the result.
func (s *signals) deduces(category decision.Category) bool {
	switch category {
	case decision.Translation, decision.Rewriting, decision.Creative, decision.Chat:
		return false
	case decision.CodingGeneral:
		return s.has(contest) || s.any(prove, logic) >= 1
	default:
		return s.any(prove, logic, contest, hardMath) >= 1
	}
}

// size is what the amount of text says: nothing for a line or two, half a tier
// for a page.
func (s *signals) size() float64 {
	size := 0.0
	if s.prose > 240 {
		size = min(0.12*math.Log2(float64(s.prose)/240), 0.6)
	}
	if lines := s.code(); lines > 30 {
		size += min(0.15*math.Log2(float64(lines)/30), 0.4)
	}
	return size
}

// parts is what the number of parts says.
func (s *signals) parts(category decision.Category) float64 {
	parts := min(0.08*float64(s.lines[bulletLine]), 0.5)
	parts += beyond(s.questions, 1, 0.1, 0.3)
	parts += beyond(s.lines[fileLine], 2, 0.12, 0.5)
	parts += beyond(s.paths, 1, 0.2, 0.4)
	switch category {
	case decision.FactualQA:
		// A lookup is short, and asks one thing.
		parts += beyond(s.words, 8, 0.05, 0.6) + beyond(s.numbers, 2, 0.06, 0.2) + beyond(s.lines[optionLine], 2, 0.06, 0.3)
		if s.has(makes) && !s.has(exam) {
			parts += 0.3
		}
	case decision.Math, decision.Proof:
		parts += min(0.12*float64(s.notation), 0.9) + beyond(s.numbers, 2, 0.08, 0.3) + beyond(s.words, 8, 0.04, 0.4)
	case decision.CodingGeneral, decision.SystemDesign, decision.Testing, decision.Agentic, decision.DataAnalysis,
		decision.Refactoring, decision.CodeReview:
		parts += s.enumerated()
	case decision.Debugging:
		parts += beyond(s.lines[logLine], 3, 0.2, 0.4)
	default:
	}
	return parts
}

// beyond is what a count over the usual adds: so much for each, up to a limit.
func beyond(count, usual int, each, most float64) float64 {
	return min(each*float64(max(count-usual, 0)), most)
}

// enumerated is what a list within a sentence says: "build an A with B, C and
// D" names four parts.
func (s *signals) enumerated() float64 {
	if s.makes() && s.has(having) {
		return min(0.22*float64(s.commas), 0.9)
	}
	return beyond(s.commas, 1, 0.08, 0.4)
}
