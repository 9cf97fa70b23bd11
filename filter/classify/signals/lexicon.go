package signals

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// words are the phrases of a language by the cue that they give, separated by
// commas. A phrase that ends in * matches every word that begins so.
type words map[cue]string

// A lexicon finds phrases of all languages in one walk: a trie over bytes.
type lexicon struct {
	// first are the nodes that begin phrases, by their byte; 0 is none.
	first [256]int32
	nodes []node
	// edges is a table by the hash of where they come from.
	edges [edgeSlots]edge
	// ends are the cues of phrases that end at a node.
	ends []ending
}

type node struct {
	ending int32 // in ends; 0 is none
	// labels has a bit for each child, by the last five bits of its label: letters
	// differ in these, so that most searches for a child end here.
	labels uint32
}

// edge leads to a child: from is the parent and the label of the child.
type edge struct {
	from uint32
	to   int32 // 0 is no edge
}

// edgeSlots is a power of two, more than twice the number of edges.
const edgeSlots = 1 << 17

// ending are the cues of phrases that must end with a word, and of those that
// need not.
type ending struct{ whole, begun cueSet }

// languages lists the tables that are searched, all at once: people mix
// languages, and a phrase of one is seldom a phrase of another.
var languages = []words{
	english, german, french, spanish, portuguese, italian, russian, chinese, japanese, korean,
	arabic, hindi,
}

var phrases = newLexicon(languages)

func newLexicon(tables []words) *lexicon {
	l := &lexicon{nodes: make([]node, 1, edgeSlots/2), ends: make([]ending, 1, 1<<13)}
	for _, table := range tables {
		for c := range cueCount {
			for phrase := range strings.SplitSeq(table[c], ",") {
				l.add(c, strings.TrimSpace(phrase))
			}
		}
	}
	l.nodes, l.ends = slices.Clip(l.nodes), slices.Clip(l.ends)
	return l
}

// add puts a phrase in: into the ending of the node that its last byte leads to.
func (l *lexicon) add(c cue, phrase string) {
	stem := strings.HasSuffix(phrase, "*")
	folded := fold(make([]byte, 0, len(phrase)), strings.TrimSuffix(phrase, "*"))
	if len(folded) == 0 {
		return
	}
	at := l.enter(folded[0])
	for _, b := range folded[1:] {
		at = l.step(at, b)
	}
	if l.nodes[at].ending == 0 {
		l.nodes[at].ending = int32(len(l.ends)) //nolint:gosec // far fewer phrases than 2^31
		l.ends = append(l.ends, ending{})
	}
	end := &l.ends[l.nodes[at].ending]
	if last, _ := utf8.DecodeLastRune(folded); stem || !spaced(last) {
		end.begun |= 1 << c
	} else {
		end.whole |= 1 << c
	}
}

// enter is the node that begins phrases with a byte, and makes it where there
// is none.
func (l *lexicon) enter(label byte) int32 {
	if l.first[label] == 0 {
		l.first[label] = l.grow()
	}
	return l.first[label]
}

// step is the node that follows another, and makes it where there is none.
func (l *lexicon) step(from int32, label byte) int32 {
	e := l.edge(from, label)
	if e.to == 0 {
		*e = edge{from: origin(from, label), to: l.grow()}
		l.nodes[from].labels |= bitOf(label)
	}
	return e.to
}

func (l *lexicon) grow() int32 {
	l.nodes = append(l.nodes, node{})
	return int32(len(l.nodes) - 1) //nolint:gosec // far fewer bytes of phrases than 2^31
}

// follow is the node that follows another; 0 is none.
func (l *lexicon) follow(from int32, label byte) int32 {
	if l.nodes[from].labels&bitOf(label) == 0 {
		return 0
	}
	return l.edge(from, label).to
}

func bitOf(label byte) uint32 { return 1 << (label % 32) }

func origin(from int32, label byte) uint32 {
	return uint32(from)<<8 | uint32(label) //nolint:gosec // far fewer nodes than 2^24
}

// edge is where an edge is, or would be.
func (l *lexicon) edge(from int32, label byte) *edge {
	key := origin(from, label)
	for at := mix(key); ; at++ {
		if e := &l.edges[at%edgeSlots]; e.from == key || e.to == 0 {
			return e
		}
	}
}

// match returns the cues of the longest phrase at the start of a folded text,
// and its length in bytes; 0 where there is none.
func (l *lexicon) match(text []byte) (found cueSet, length int) {
	at := l.first[text[0]]
	for i := 0; at != 0; {
		if end := l.nodes[at].ending; end != 0 {
			here := l.ends[end].begun
			if endsWord(text[i+1:]) {
				here |= l.ends[end].whole
			}
			if here != 0 {
				found, length = here, i+1
			}
		}
		if i++; i == len(text) {
			break
		}
		at = l.follow(at, spaceFor(text[i]))
	}
	return found, length
}

// spaceFor lets a phrase run over the end of a line.
func spaceFor(b byte) byte {
	if b == '\n' {
		return ' '
	}
	return b
}

// endsWord reports that what follows belongs to no word.
func endsWord(rest []byte) bool { return len(rest) == 0 || !startsWord(rest[0]) }

// startsWord reports the first bytes of letters and digits in scripts that put
// spaces between words.
func startsWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '_' || b >= 0xc3 && b < firstWide
}

// firstWide is the first byte of U+2000. From there on there are symbols, and
// the scripts of East Asia, in which a phrase is found wherever it stands.
const firstWide = 0xe2

func isWide(b byte) bool { return b >= firstWide }

// spaced reports the letters and digits of scripts that put spaces between
// words.
func spaced(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r >= 0xc0 && r < 0x2000
}
