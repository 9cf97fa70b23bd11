package signals

import (
	"slices"
	"unicode/utf8"
)

// Where a gram's bucket lies.
const (
	// Pieces is the first bucket of pieces of words. Below are words, and pairs of
	// words.
	Pieces = 1 << 16
	// Concepts is the first bucket of what words mean in any language, and of pairs
	// of that.
	Concepts = 2 * Pieces
	// Buckets is how many grams are told apart.
	Buckets = Concepts + 1<<15
)

// Kinds is how many kinds of grams there are: words, pieces and concepts.
const Kinds = 3

// Kind is that of a gram by its bucket.
func Kind(bucket uint32) int { return int(bucket / Pieces) }

// singleConcepts is how many buckets concepts have for themselves, without their
// pairs; a test knows that there are enough.
const singleConcepts = 1 << 12

// ends is how many bytes of the prose are cut into grams at each of its ends.
// What is asked stands there; a pasted document lies between.
const ends = 2048

// The kinds of grams, each hashed in its own way.
const (
	wordGram    = 0x9e3779b1
	pairGram    = 0x85ebca77
	openingGram = 0xc2b2ae3d
	pieceGram   = 0x27d4eb2f
	tripleGram  = 0x165667b1
	conceptGram = 0x9e3779b9
)

// grams cuts prose into words, pairs of words, pieces of words and concepts.
type grams struct {
	text *Text
	// previous is the hash of the word before, 0 at the start; before that, of the
	// one before it.
	previous, earlier uint32
	count             int
	concepts          *concepts
	// found are the concepts of a word; a test knows that there is room.
	found [64]uint16
	// concept is the first of the word before, plus one; known is where that ends.
	concept uint16
	known   int
}

// cut reads the folded prose into buckets.
func (t *Text) cut(prose []byte) {
	g := grams{text: t, concepts: meanings()}
	if len(prose) <= 2*ends {
		g.read(prose)
		return
	}
	g.read(prose[:runeStart(prose, ends)])
	g.previous, g.earlier, g.concept, g.known = 0, 0, 0, 0
	g.read(prose[runeStart(prose, len(prose)-ends):])
}

func runeStart(text []byte, at int) int {
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

func (g *grams) read(prose []byte) {
	for at := 0; at < len(prose); {
		switch b := prose[at]; {
		case startsWord(b):
			end := wordEnd(prose, at)
			g.word(prose[at:end])
			g.mean(g.concepts.findWord(g.found[:0], prose[at:end]))
			at = end
		case isWide(b):
			_, size := utf8.DecodeRune(prose[at:])
			g.meanRun(prose, at)
			g.character(prose[at : at+size])
			at += size
		default:
			at++
		}
	}
}

// wordEnd is where the word ends that begins at a place.
func wordEnd(prose []byte, at int) int {
	for at < len(prose) && (startsWord(prose[at]) || !utf8.RuneStart(prose[at])) {
		at++
	}
	return at
}

// word adds a word, the pair that it ends, and its pieces.
func (g *grams) word(word []byte) {
	g.follow(hash(word))
	g.pieces(word)
}

// character adds a character of a script without spaces: alone, and with the
// one and the two before it.
func (g *grams) character(character []byte) {
	h := hash(character)
	if g.previous != 0 && g.earlier != 0 {
		g.text.addPiece(mix(tripleGram ^ (h + 31*g.previous + 961*g.earlier)))
	}
	g.follow(h)
}

// openingWords is how many words, or characters of a script without spaces,
// count a second time as the opening of the text.
const openingWords = 3

func (g *grams) follow(h uint32) {
	if g.text.addWord(mix(wordGram ^ h)) {
		g.text.signals.distinct++
	}
	if g.previous != 0 {
		g.text.addWord(mix(pairGram ^ (h + 31*g.previous)))
	}
	if g.count < openingWords {
		g.text.addWord(mix(openingGram ^ h))
	}
	g.count++
	g.earlier, g.previous = g.previous, h
}

// pieces adds the runs of three and four characters of a word with its ends,
// which misspelt and inflected forms share.
func (g *grams) pieces(word []byte) {
	const edge = '_'
	var a, b, c uint32 = 0, 0, edge
	for at := 0; at <= len(word); {
		r, size := rune(edge), 1
		if at < len(word) {
			r, size = utf8.DecodeRune(word[at:])
		}
		at += size
		d := uint32(r)
		if b != 0 {
			three := mix(b*0x01000193 ^ c*0x85ebca6b ^ d*0xc2b2ae35)
			g.text.addPiece(mix(pieceGram ^ three))
			if a != 0 {
				g.text.addPiece(mix(pieceGram ^ (three + a*0x27d4eb2f)))
			}
		}
		a, b, c = b, c, d
	}
}

// meanRun adds the concepts of what begins at a place in a script without
// spaces, unless that is within the one before.
func (g *grams) meanRun(prose []byte, at int) {
	if at < g.known {
		return
	}
	found, length := g.concepts.find(g.found[:0], prose[at:min(at+longestRun, len(prose))])
	g.mean(found)
	g.known = at + length
}

// mean adds the concepts of a word, and its pair with the one before it: in either
// order, since languages order words in their own ways.
func (g *grams) mean(found []uint16) {
	if len(found) == 0 {
		return
	}
	for _, concept := range found {
		g.text.add(Concepts + uint32(concept))
	}
	// The lines that a word is in are in part the same in other languages.
	first := slices.Min(found) + 1
	if g.concept != 0 && g.concept != first {
		low, high := uint32(min(first, g.concept)), uint32(max(first, g.concept))
		g.text.add(Concepts + singleConcepts + mix(conceptGram^(low<<16|high))%(Buckets-Concepts-singleConcepts))
	}
	g.concept = first
}

// hash is FNV-1a.
func hash(bytes []byte) uint32 {
	h := uint32(fnvBasis)
	for _, b := range bytes {
		h = hashOn(h, b)
	}
	return h
}

// hashOn is the hash of a text with one more byte.
func hashOn(h uint32, b byte) uint32 { return (h ^ uint32(b)) * fnvPrime }

const (
	fnvBasis = 0x811c9dc5
	fnvPrime = 0x01000193
)

// mix spreads a hash over all its bits: the finalizer of MurmurHash3.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
