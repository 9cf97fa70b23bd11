package classify

import (
	"math"
	"slices"
	"sync"

	"github.com/pointsman/pointsman/filter/classify/signals"
	"github.com/pointsman/pointsman/filter/decision"
)

var (
	categories = decision.Categories()
	chat       = slices.Index(categories, decision.Chat)
)

// verdict is what a text amounts to.
type verdict struct {
	category   decision.Category
	tier       decision.Tier
	position   float64 // within the tier, 0 to 1
	confidence float64
}

// room is what judging needs of memory. It is 100 KB, too much for a stack.
type room struct {
	message, prior signals.Text
	own, before    sums
	inputs         [followInputs]float32
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// judge judges what a frame shows: the message, and the prior turn where the
// message continues it.
func judge(framed Framed) verdict {
	r, _ := rooms.Get().(*room)
	defer rooms.Put(r)
	w := model()
	inputs := r.inputs[:tierInputs]
	w.look(&r.message, &r.own, inputs, framed.Message)
	tiers := w.shares(w.tiers, inputs)
	kinds := kindsOf(&r.own)
	if framed.Prior != "" {
		inputs := r.inputs[tierInputs : 2*tierInputs]
		w.look(&r.prior, &r.before, inputs, framed.Prior)
		priorKinds := kindsOf(&r.before)
		goesOn := w.goesOn(r, kinds.alike(&priorKinds))
		tiers = tiers.inherit(w.shares(w.priors, inputs), goesOn)
		kinds.inherit(&priorKinds, goesOn, &w.settings)
	}
	v := verdict{category: namedBy(categories[kinds.top()], framed.reference)}
	w.settings.decide(&v, tiers.raised(framed), r.message.Hardness())
	return v
}

// look reads a text, and leaves what it shows for the trees.
func (w *weights) look(text *signals.Text, total *sums, inputs []float32, from string) {
	text.Read(from)
	w.weigh(text, total)
	total.inputs(inputs)
	copy(inputs[sumInputs:], text.Dense[:])
}

// shares says how likely each tier is by itself.
func (w *weights) shares(trees *forest, inputs []float32) (p shares) {
	trees.add(p[:], inputs)
	for k := range p {
		p[k] /= w.settings.Temperature
	}
	softmax(p[:])
	return p
}

// goesOn is how likely the message continues the prior turn, given how likely both
// are of one category.
func (w *weights) goesOn(r *room, alike float32) float32 {
	pair := signals.Pair(&r.message, &r.prior)
	rest := r.inputs[2*tierInputs:]
	copy(rest, pair[:])
	rest[len(pair)] = alike
	var sum [1]float32
	w.follows.add(sum[:], r.inputs[:])
	return sigmoid(sum[0])
}

// shares are the probabilities of the tiers.
type shares [tierCount]float32

func softmax(values []float32) {
	top, sum := values[0], float32(0)
	for _, v := range values {
		top = max(top, v)
	}
	for i, v := range values {
		values[i] = float32(math.Exp(float64(v - top)))
		sum += values[i]
	}
	for i := range values {
		values[i] /= sum
	}
}

// inherit mixes what a message is by itself with what it is where it continues
// a turn: at least as much as that.
func (p shares) inherit(before shares, goesOn float32) (mixed shares) {
	var below, ownBelow, beforeBelow float32
	for k := range p {
		ownBelow, beforeBelow = ownBelow+p[k], beforeBelow+before[k]
		both := ownBelow * beforeBelow
		mixed[k] = (1-goesOn)*p[k] + goesOn*(both-below)
		below = both
	}
	return mixed
}

// likelihoods are those of the categories.
type likelihoods [categoryCount]float32

func kindsOf(total *sums) (l likelihoods) {
	copy(l[:], total.total[tierCount:])
	softmax(l[:])
	return l
}

// inherit mixes what is likely of a message by itself with what is where it
// continues a turn: the turn's category, and the message's own where it names work.
func (l *likelihoods) inherit(before *likelihoods, goesOn float32, s *settings) {
	work := *l
	work[chat] = 0
	if work[work.top()] > s.CategorySure {
		before = &likelihoods{}
	}
	for i := range l {
		l[i] = (1-goesOn)*l[i] + goesOn*(s.CategoryShare*work[i]+before[i])
	}
}

// alike is how likely two texts are of one category.
func (l *likelihoods) alike(other *likelihoods) (sum float32) {
	for i := range l {
		sum += l[i] * other[i]
	}
	return sum
}

func (l *likelihoods) top() int {
	best := 0
	for i, likelihood := range l {
		if likelihood > l[best] {
			best = i
		}
	}
	return best
}
