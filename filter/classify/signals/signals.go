package signals

import "strings"

// signals is what one text shows.
type signals struct {
	// cues is how strongly each cue shows: 1 for one mention where it counts
	// fully, more for several, less in the middle of a long text or in quotes.
	cues [cueCount]float64
	// opening are the cues of the first phrase that is more than polite.
	opening cueSet
	// words counts words, two East Asian characters being one; known those that
	// belong to a phrase.
	words, known int
	// distinct counts the words that are told apart.
	distinct int

	// best and sum are the strongest and all mentions of each cue.
	best, sum [cueCount]float64

	lines [optionLine + 1]int

	questions, commas, semicolons int

	// notation counts mathematical symbols and LaTeX commands; paths counts file
	// paths, and identifiers names as programs write them.
	notation, paths, identifiers int

	// numbers counts numbers written in digits.
	numbers int

	// bytes is the length of the text, prose that of what is not code.
	bytes, prose int
}

func (s *signals) has(c cue) bool { return s.cues[c] > 0 }

// any is the strongest of some cues.
func (s *signals) any(cues ...cue) float64 {
	strongest := 0.0
	for _, c := range cues {
		strongest = max(strongest, s.cues[c])
	}
	return strongest
}

// code counts the lines that are no prose but a program's.
func (s *signals) code() int {
	return s.lines[codeLine] + s.lines[traceLine] + s.lines[logLine] + s.lines[diffLine] + s.lines[fileLine]
}

// proseSpace is how much prose is looked at, in bytes: more than the two windows of a text and
// what stands for the gap between them. Folding never lengthens.
const proseSpace = 8<<10 + 64

// scan reads the signals of a text, and its folded prose into a buffer.
func scan(text string, prose []byte) (s signals, folded []byte) {
	fenced := false
	for line := range strings.Lines(text) {
		kind := kindOf(line)
		if kind == fenceLine {
			fenced = !fenced
		} else if fenced && (kind == proseLine || kind == bulletLine || kind == optionLine) {
			kind = codeLine
		}
		s.lines[kind]++
		switch kind {
		case proseLine, bulletLine, optionLine:
			s.mark(line)
			prose = fold(prose, line)
		case traceLine:
			prose = fold(prose, "\n")
		default:
		}
	}
	s.bytes, s.prose = len(text), len(prose)
	s.search(prose)
	return s, prose
}
