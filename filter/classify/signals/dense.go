package signals

import "math"

// DenseCount is how many plain signals there are of a text.
const DenseCount = 2*int(cueCount) + int(optionLine) + 1 + Counts

// Counts is how many of them, the last, are neither cues nor kinds of lines.
const Counts = 24

// dense writes the signals as numbers of about the same size: how strongly each
// cue shows, which of them open the text, how many lines there are of each kind,
// and what else is counted.
func (s *signals) dense(to *[DenseCount]float32) {
	row := to[:0]
	for c := range cueCount {
		row = append(row, float32(min(s.cues[c], 2)))
	}
	for c := range cueCount {
		row = append(row, flag(s.opening.has(c)))
	}
	for _, n := range s.lines {
		row = append(row, size(n))
	}
	_ = append(row, size(s.words), share(s.known, s.words), size(s.words-s.known), size(s.bytes), size(s.prose),
		share(s.prose, s.bytes), size(s.questions), size(s.commas), size(s.semicolons), size(s.notation), size(s.paths),
		size(s.identifiers), size(s.numbers), size(s.code()), flag(s.words <= 3), flag(s.words <= fewWords),
		flag(s.words <= shortAnswer), flag(s.words <= shortRequest), flag(s.acknowledges()), flag(s.courteous()),
		flag(s.onlyOf(greeting, polite)), flag(s.questions > 0), share(s.numbers, s.words), share(s.distinct, s.words))
}

// How many words a message may have that stands on the one before it.
const (
	fewWords     = 6  // "fix the remaining ones", after other work
	shortAnswer  = 12 // "the blue one", without any phrase that says so
	shortRequest = 24 // "and what about ...?"
)

// size is a count as it is felt: each doubling is one step.
func size(n int) float32 { return float32(math.Log2(1+float64(n)) / 4) }

func share(part, whole int) float32 { return float32(part) / float32(max(whole, 1)) }

func flag(on bool) float32 {
	if on {
		return 1
	}
	return 0
}

// acknowledges reports a message that only says to go on, or that it is well.
func (s *signals) acknowledges() bool { return s.onlyOf(assent, proceed, praise, polite, thanks) }

// courteous reports a message that says no more than thanks, praise or farewell.
func (s *signals) courteous() bool {
	return s.onlyOf(praise, polite, thanks, assent, farewell, stop) && s.any(praise, thanks, farewell, stop) > 0
}

// onlyOf reports a message that consists of these cues alone.
func (s *signals) onlyOf(cues ...cue) bool {
	allowed := setOf(cues...)
	for c := range cueCount {
		if s.has(c) && !allowed.has(c) {
			return false
		}
	}
	return s.known > 0 && s.known == s.words
}

// Hardness ranks texts of one tier by how likely a weak model fails at them where
// a strong one does not, 0 to about 4: long questions, about what is not so, and not
// about numbers. train/MODEL_CARD.md says how well that ranks MMLU questions with
// the answers of two models (RouteLLM), and why nothing is fitted here.
func (t *Text) Hardness() float32 {
	s := &t.signals
	return size(s.bytes) - share(s.numbers, s.words) + float32(min(s.cues[negation], 2))/2
}
