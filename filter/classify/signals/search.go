package signals

import (
	"strings"
	"unicode/utf8"
)

// Where a phrase stands says how much of the request it is.
const (
	margin     = 320  // bytes at each end of the prose that count fully
	inMiddle   = 0.35 // between the ends
	inQuotes   = 0.3
	atOpening  = 1.5 // at the start of a sentence, where imperatives stand
	unspaced   = 1.25
	repetition = 0.25 // each further mention
	mostExtra  = 0.75 // all further mentions together
)

// reader walks over folded prose.
type reader struct {
	prose []byte
	at    int
	// opening says that nothing but politeness was read of the sentence.
	opening, quoted, inWord bool
	// wide counts characters of scripts without spaces.
	wide int
}

// search finds the phrases of the prose.
func (s *signals) search(prose []byte) {
	r := reader{prose: prose, opening: true}
	for r.at < len(prose) {
		if found, length := r.phrase(); length > 0 {
			s.take(&r, found, length)
		} else if r.pass() {
			s.words++
		}
	}
	s.words += (r.wide + 1) / 2
	for c := range s.cues {
		s.cues[c] = s.best[c] + min(repetition*(s.sum[c]-s.best[c]), mostExtra)
	}
}

// phrase is the phrase that begins here, if any does: none begins within a word.
func (r *reader) phrase() (cueSet, int) {
	if r.inWord && startsWord(r.prose[r.at]) {
		return 0, 0
	}
	return phrases.match(r.prose[r.at:])
}

// take records a phrase and steps over it, and over the rest of a word that it
// begins.
func (s *signals) take(r *reader, found cueSet, length int) {
	s.hit(found, r.weight(), r.opening)
	words := wordsIn(r.prose[r.at : r.at+length])
	s.words, s.known = s.words+words, s.known+words
	r.opening = r.opening && found&courtesies != 0
	wide := isWide(r.prose[r.at])
	r.at += length
	for !wide && r.at < len(r.prose) && (startsWord(r.prose[r.at]) || !utf8.RuneStart(r.prose[r.at])) {
		r.at++
	}
	r.inWord = false
}

// courtesies leave the opening of a sentence open.
var courtesies = setOf(polite, assent, praise, greeting, thanks, newTopic)

// hit records a phrase.
func (s *signals) hit(found cueSet, weight float64, opening bool) {
	for c := range cueCount {
		if found.has(c) && (opening || !openers.has(c)) {
			s.best[c] = max(s.best[c], weight)
			s.sum[c] += weight
		}
	}
	if s.opening&^setOf(polite, plain) == 0 && s.words == s.known {
		s.opening |= found
	}
}

// pass steps over a character that begins no phrase, and reports the start of
// a word.
func (r *reader) pass() (word bool) {
	b := r.prose[r.at]
	_, size := utf8.DecodeRune(r.prose[r.at:])
	r.at += size
	if startsWord(b) {
		word = !r.inWord
		r.inWord, r.opening = true, r.opening && !word
		return word
	}
	r.inWord = false
	if isWide(b) {
		r.wide++
		return false
	}
	r.punctuate(b)
	return false
}

func (r *reader) punctuate(b byte) {
	r.opening = r.opening || strings.IndexByte(".!?:;\n", b) >= 0
	switch b {
	case '"':
		r.quoted = !r.quoted
	case '\n':
		r.quoted = false
	}
}

// weight says how much a phrase counts that begins here.
func (r *reader) weight() float64 {
	weight := 1.0
	if r.at > margin && r.at < len(r.prose)-margin {
		weight = inMiddle
	}
	switch {
	case r.quoted:
		return weight * inQuotes
	case isWide(r.prose[r.at]):
		return weight * unspaced
	case r.opening:
		return weight * atOpening
	default:
		return weight
	}
}

// wordsIn counts the words of a phrase; two characters of a script without
// spaces are one.
func wordsIn(phrase []byte) int {
	if isWide(phrase[0]) {
		return max(1, utf8.RuneCount(phrase)/2)
	}
	n := 1
	for _, b := range phrase {
		if b == ' ' || b == '\n' {
			n++
		}
	}
	return n
}
