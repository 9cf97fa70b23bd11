package signals

import "unicode/utf8"

// Where a gram's bucket lies.
const (
	// Buckets is how many grams are told apart.
	Buckets = 1 << 17
	// Pieces is the first bucket of pieces of words. Below are words, and pairs of
	// words.
	Pieces = Buckets / 2
)

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
)

// grams cuts prose into words, pairs of words and pieces of words.
type grams struct {
	text *Text
	// previous is the hash of the word before, 0 at the start; before that, of the
	// one before it.
	previous, earlier uint32
	count             int
}

// cut reads the folded prose into buckets.
func (t *Text) cut(prose []byte) {
	if len(prose) <= 2*ends {
		(&grams{text: t}).read(prose)
		return
	}
	g := grams{text: t}
	g.read(prose[:runeStart(prose, ends)])
	g.previous, g.earlier = 0, 0
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
			at = end
		case isWide(b):
			_, size := utf8.DecodeRune(prose[at:])
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
	g.text.addWord(mix(wordGram ^ h))
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

// hash is FNV-1a.
func hash(bytes []byte) uint32 {
	h := uint32(0x811c9dc5)
	for _, b := range bytes {
		h = (h ^ uint32(b)) * 0x01000193
	}
	return h
}

// mix spreads a hash over all its bits: the finalizer of MurmurHash3.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
