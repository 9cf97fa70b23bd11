// Command features reads turns as JSON Lines ("message" and "prior_turn") and
// prints three lines for each: what the model sees of the message, of the prior
// turn, and of how they stand to each other.
package main

import (
	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/classify/signals"
	"github.com/pointsman/pointsman/filter/classify/train/turns"
)

type seen struct {
	Dense []float32 `json:"dense"`
	Grams []uint32  `json:"grams"`
}

func main() {
	var message, prior signals.Text
	turns.Main("features", func(in classify.Input) []any {
		framed := classify.Frame(in, true)
		message.Read(framed.Message)
		prior.Read(framed.Prior)
		pair := signals.Pair(&message, &prior)
		return []any{seen{message.Dense[:], message.Grams}, seen{prior.Dense[:], prior.Grams}, seen{pair[:], nil}}
	})
}
