// Command answers reads turns as JSON Lines ("message" and "prior_turn") and
// prints the classifier's answer to each, with the time that it took.
package main

import (
	"time"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/classify/train/turns"
	"github.com/pointsman/pointsman/filter/decision"
)

type answer struct {
	Tier         string            `json:"tier"`
	Category     decision.Category `json:"category"`
	Difficulty   float64           `json:"difficulty"`
	Confidence   float64           `json:"confidence"`
	Microseconds float64           `json:"microseconds"`
}

func main() {
	classifier := classify.New(decision.Medium, true)
	classifier.Classify(classify.Input{Message: "decode the weights"}, classify.Hints{})
	turns.Main("answers", func(in classify.Input) []any {
		start := time.Now()
		result := classifier.Classify(in, classify.Hints{})
		took := time.Since(start)
		return []any{answer{
			result.Tier.String(), result.Category, result.Difficulty, result.Confidence, float64(took.Nanoseconds()) / 1000,
		}}
	})
}
