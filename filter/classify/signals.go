package classify

import (
	"strings"
	"sync"
)

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

	// best and sum are the strongest and all mentions of each cue.
	best, sum [cueCount]float64

	lines [optionLine + 1]int

	questions, commas, semicolons int

	// notation counts mathematical symbols and LaTeX commands; paths counts file
	// paths, and identifiers names as programs write them.
	notation, paths, identifiers int

	// numbers counts numbers written in digits.
	numbers int

	// prose is the length of what is not code, in bytes.
	prose int
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

// proseSpace is how much prose is looked at, in bytes. Folding never lengthens;
// what shown replaced in invalid text may be cut.
const proseSpace = 2*window + 64

// spaces lends room for prose. On the stack it would have every request's
// goroutine grow its stack, which took longer than the search (measured).
var spaces = sync.Pool{New: func() any { return new([proseSpace]byte) }}

// scan reads the signals of a text that shown has bounded.
func scan(text string) (s signals) {
	space, _ := spaces.Get().(*[proseSpace]byte)
	defer spaces.Put(space)
	prose := space[:0]
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
	s.prose = len(prose)
	s.search(prose)
	return s
}
