package classify

import "github.com/pointsman/pointsman/filter/decision"

// Result is what a request asks for.
type Result struct {
	Sizes

	// Tier is never NoTier.
	Tier decision.Tier
	// Category is never NoCategory.
	Category decision.Category
	// Source is decision.SourceClassifier, SourceOverride or SourceFallback.
	Source string
	// Hinted names the part that a single hint replaced, "tier" or "category";
	// otherwise it is empty.
	Hinted string
	// Difficulty is 0 to 1, within the tier's quarter.
	Difficulty float64
	// Confidence is how likely the tier is right, 0 to 1: 1 for a tier that was
	// hinted, 0 for a fallback and for what an LLM says.
	Confidence float64
	// By is decision.ByEmbedded or ByLLM; empty where nobody was asked.
	By string
	// LLMUnused is a stable word for why an LLM that is configured has no say;
	// otherwise it is empty.
	LLMUnused string
}

// Classifier classifies requests. It holds no state and may be used
// concurrently.
type Classifier struct {
	fallback decision.Tier
	framing  bool
}

// New returns a Classifier that gives the fallback tier to what cannot be
// classified, and with framing reads a message together with its prior turn. The
// first one loads the model, some 40 ms, so that no request waits for that.
func New(fallback decision.Tier, framing bool) *Classifier {
	model()
	return &Classifier{fallback: fallback, framing: framing}
}

// Classify says what the input asks for. Hints for both tier and category are
// taken as they are, and the text is not looked at (override). A message that
// is empty gets the fallback tier; it is chat, since there is nothing in it to
// work on. A single hint replaces its part of the answer.
func (c *Classifier) Classify(in Input, hints Hints) Result { return c.Consult(in, hints, embedded) }

// Consult is Classify with the last word for another: it takes its opinion
// wherever the embedded model would have its own.
func (c *Classifier) Consult(in Input, hints Hints, other Opinion) Result {
	framed := Frame(in, c.framing)
	var result Result
	switch {
	case hints.complete():
		result = Result{Source: decision.SourceOverride}
	case framed.Text == "":
		result = settled(c.fallback, decision.Chat, decision.SourceFallback)
	default:
		result = other(framed, judged(judge(framed)))
	}
	result.Sizes = framed.Sizes
	return hints.applied(result)
}

// settled is an answer without a judgement: it stands in the middle of its
// tier.
func settled(tier decision.Tier, category decision.Category, source string) Result {
	return Result{Tier: tier, Category: category, Source: source, Difficulty: tier.Difficulty(middle)}
}

// middle is the position within a tier of what was not judged.
const middle = 0.5

func judged(v verdict) Result {
	return Result{
		Tier:       v.tier,
		Category:   v.category,
		Source:     decision.SourceClassifier,
		Difficulty: v.tier.Difficulty(v.position),
		Confidence: v.confidence,
		By:         decision.ByEmbedded,
	}
}

// applied puts the hinted parts in. A judged difficulty keeps its rank as far
// as the hinted tier's quarter allows; everything else stands in its middle.
func (h Hints) applied(result Result) Result {
	if h.Category != decision.NoCategory {
		result.Category = h.Category
	}
	if h.Tier != decision.NoTier {
		if result.Source == decision.SourceClassifier {
			result.Difficulty = within(h.Tier, result.Difficulty)
		} else {
			result.Difficulty = h.Tier.Difficulty(middle)
		}
		result.Tier, result.Confidence = h.Tier, 1
	}
	result.Hinted = h.name()
	return result
}

// within moves a difficulty to the nearest one that the tier owns.
func within(tier decision.Tier, difficulty float64) float64 {
	return tier.Difficulty(difficulty*float64(decision.Reasoning) - float64(tier-decision.Simple))
}
