package signals

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// conceptsFile holds one concept a line, in twelve columns parted by tabs: the
// words for it in English, German, Chinese, Japanese, Arabic, Hindi, Spanish,
// French, Portuguese, Russian, Italian and Korean, parted by commas. A word that
// ends in * stands for every word that begins so.
//
//go:embed concepts.tsv
var conceptsFile string

// concepts finds what words mean, whatever language they are of: a table from
// the hash of a word, or of its beginning, to lines of conceptsFile. A word may
// have several meanings, and several lines have some in common.
type concepts struct {
	slots [conceptSlots]slot
	links []link // 0 is none
	// begins has a bit for the hash of every beginning of a word: where a text shows
	// none of these, no word is any more to be found.
	begins [beginnings / 64]uint64
}

// beginnings is a power of two, several times the number of beginnings.
const beginnings = 1 << 20

// conceptSlots is a power of two, several times the number of words.
const conceptSlots = 1 << 17

type slot struct {
	hash  uint32
	first int32 // in links
}

// link is one meaning of a word, or of all words that begin so.
type link struct {
	next    int32
	concept uint16
	whole   bool
}

// Load reads the concepts, which takes some 30 ms, for whoever does not want the
// first text to wait for that.
func Load() { meanings() }

var meanings = sync.OnceValue(func() *concepts { return newConcepts(conceptsFile) })

func newConcepts(file string) *concepts {
	c := &concepts{links: make([]link, 1, 1<<17)}
	id := uint16(0)
	for line := range strings.Lines(file) {
		for word := range wordsOf(line) {
			c.add(id, word)
		}
		id++
	}
	c.links = slices.Clip(c.links)
	return c
}

// wordsOf are the words of a line of conceptsFile.
func wordsOf(line string) iter.Seq[string] {
	return strings.FieldsFuncSeq(line, func(r rune) bool { return r == '\t' || r == ',' || r == '\n' })
}

func (c *concepts) add(id uint16, word string) {
	stem := strings.HasSuffix(word, "*")
	folded := fold(make([]byte, 0, len(word)), strings.TrimSuffix(word, "*"))
	if len(folded) == 0 {
		return
	}
	h := uint32(fnvBasis)
	for _, b := range folded {
		h = hashOn(h, b)
		at, bit := beginning(h)
		c.begins[at] |= bit
	}
	last, _ := utf8.DecodeLastRune(folded)
	s := c.slot(h)
	c.links = append(c.links, link{next: s.first, concept: id, whole: !stem && spaced(last)})
	s.hash, s.first = h, int32(len(c.links)-1) //nolint:gosec // far fewer words than 2^31
}

// beginning is where the bit of a beginning's hash is.
func beginning(h uint32) (at uint32, bit uint64) {
	h = mix(h) % beginnings
	return h / 64, 1 << (h % 64)
}

func (c *concepts) begun(h uint32) bool {
	at, bit := beginning(h)
	return c.begins[at]&bit != 0
}

// slot is where a hash is, or would be.
func (c *concepts) slot(h uint32) *slot {
	for at := mix(h); ; at++ {
		s := &c.slots[at%conceptSlots]
		if s.hash == h || s.first == 0 {
			return s
		}
	}
}

// shortestStem is how many bytes a beginning has at least that is looked up.
const shortestStem = 3

// longestRun is how many bytes of a script without spaces a word has at most.
const longestRun = 12 * 3

// find adds the concepts of what begins a text to those found, and says how many
// bytes the longest of these has. The text is one word, or of a script without
// spaces. What has no more room is left out.
func (c *concepts) find(found []uint16, text []byte) (all []uint16, longest int) {
	h := uint32(fnvBasis)
	for i, b := range text {
		h = hashOn(h, b)
		end := i + 1
		if end < shortestStem && end < len(text) {
			continue
		}
		if !c.begun(h) {
			break
		}
		if end < len(text) && !utf8.RuneStart(text[end]) {
			continue
		}
		for at := c.slot(h).first; at != 0 && len(found) < cap(found); at = c.links[at].next {
			if l := c.links[at]; !l.whole || end == len(text) {
				found, longest = append(found, l.concept), end
			}
		}
	}
	return found, longest
}

// arabicPrefixes are what Arabic writes together with the word that follows:
// and, with, for, as, and the article.
var arabicPrefixes = []string{"وال", "بال", "فال", "كال", "ال", "لل", "و", "ب", "ل", "ف"}

// shortestArabic is how many bytes must be left of a word without a prefix.
const shortestArabic = 3 * 2

func isArabic(b byte) bool { return b >= 0xd8 && b <= 0xdb }

// findArabic finds what is left of a word without a prefix.
func (c *concepts) findArabic(found []uint16, word []byte) []uint16 {
	for _, prefix := range arabicPrefixes {
		rest := len(word) - len(prefix)
		if rest < shortestArabic || string(word[:len(prefix)]) != prefix {
			continue
		}
		if more, length := c.find(found, word[len(prefix):]); length > 0 {
			return more
		}
	}
	return found
}

// How many bytes a word has at least that is taken for several in one, as German
// writes them, and each but the first of these.
const (
	shortestCompound = 10
	shortestPart     = 5
)

// findWord finds the concepts of a word: of its beginning, and of the parts of a
// long one.
func (c *concepts) findWord(found []uint16, word []byte) []uint16 {
	found, at := c.find(found, word)
	if at == 0 && isArabic(word[0]) {
		return c.findArabic(found, word)
	}
	if len(word) < shortestCompound || word[0] >= utf8.RuneSelf {
		return found
	}
	for at = max(at, 1); len(word)-at >= shortestPart; {
		more, length := c.find(found, word[at:])
		if length < shortestPart {
			at++
			continue
		}
		found = more
		at += length
	}
	return found
}
