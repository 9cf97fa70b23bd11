package classify

import "github.com/pointsman/pointsman/filter/decision"

// Opinion is what somebody makes of a framed text, given what the embedded model
// says about it.
type Opinion func(framed Framed, embedded Result) Result

// embedded is the opinion of who has none.
func embedded(_ Framed, result Result) Result { return result }

// Said is the result of a model that names a tier, a category and a difficulty
// from 0 to 1. The difficulty ranks within the tier's quarter and does not
// contradict the tier.
func Said(tier decision.Tier, category decision.Category, difficulty float64) Result {
	return Result{
		Tier: tier, Category: category, Source: decision.SourceClassifier, Difficulty: within(tier, difficulty),
	}
}

// FellBack is the result where a model was wanted for the tier and gave none: a
// fallback tier, with the category of another result and whoever said that.
func FellBack(tier decision.Tier, other Result) Result {
	result := settled(tier, other.Category, decision.SourceFallback)
	result.By = other.By
	return result
}

// Middle is the difficulty of a tier of which nothing more is known.
func Middle(tier decision.Tier) float64 { return tier.Difficulty(middle) }
