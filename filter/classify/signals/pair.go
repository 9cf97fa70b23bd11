package signals

import "math"

// PairCount is how many signals there are of how a message stands to the turn
// before it.
const PairCount = 27

// conversational are the cues that ask for no work.
var conversational = setOf(plain, greeting, smallTalk, polite, thanks, farewell, newTopic, stop, praise, assent, proceed, backward,
	offer, constraint, small, big, having, negation)

// Pair says how a message stands to the turn before it.
//
//nolint:gocognit // a list of signs, each by itself
func Pair(message, prior *Text) (signs [PairCount]float32) {
	m, p := &message.signals, &prior.signals
	offered := p.has(offer) || p.questions > 0
	points := m.has(proceed) || m.has(backward)
	asks := m.asksForWork()
	nods := m.acknowledges()
	thanked := m.any(thanks, farewell, stop, smallTalk) > 0
	starts := m.opening&setOf(assent, proceed) != 0
	shared := overlap(message, prior)
	for i, on := range [...]bool{
		nods && offered, nods && !offered, m.courteous() && offered, m.courteous() && !offered,
		thanked && !points && !asks, thanked && asks, m.has(newTopic) && !points, m.has(newTopic) && asks,
		starts && m.words <= longAssent, starts && asks, points && m.words <= shortRequest, points && asks,
		asks && m.words <= fewWords, asks && !points, !asks && m.words <= shortAnswer && offered,
		!asks && m.words <= shortAnswer && !offered, m.wordless() && offered, m.wordless() && !offered,
		m.onlyOf(greeting, polite), offered, m.code() > 0,
	} {
		signs[i] = flag(on)
	}
	counted := [...]float32{shared[0], shared[1], shared[2], shared[0] * size(m.words), size(m.words), size(p.words)}
	copy(signs[PairCount-len(counted):], counted[:])
	return signs
}

// longAssent is how many words may follow where the first says it: "yes, but
// keep ...".
const longAssent = 60

func (s *signals) asksForWork() bool {
	for c := range cueCount {
		if s.has(c) && !conversational.has(c) {
			return true
		}
	}
	return false
}

// wordless reports a text without words, such as a thumbs-up.
func (s *signals) wordless() bool { return s.words == 0 }

// overlap is how many of the message's words, pieces of words and concepts stand
// in the prior turn, too: the square roots of their shares.
func overlap(message, prior *Text) (roots [Kinds]float32) {
	var count, shared [Kinds]int
	for _, gram := range message.Grams {
		kind := Kind(gram)
		count[kind]++
		if prior.has(gram) {
			shared[kind]++
		}
	}
	for i := range roots {
		roots[i] = float32(math.Sqrt(float64(shared[i]) / float64(max(count[i], 1))))
	}
	return roots
}
