// Command answers reads turns as JSON Lines ("message" and "prior_turn") and
// prints the classifier's answer to each, with the time that it took.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/decision"
)

type turn struct {
	Message string `json:"message"`
	Prior   string `json:"prior_turn"`
}

type answer struct {
	Tier         string            `json:"tier"`
	Category     decision.Category `json:"category"`
	Difficulty   float64           `json:"difficulty"`
	Confidence   float64           `json:"confidence"`
	Microseconds float64           `json:"microseconds"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "answers:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	buffered := bufio.NewWriter(out)
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(buffered)
	classifier := classify.New(decision.Medium, true)
	classifier.Classify(classify.Input{Message: "decode the weights"}, classify.Hints{})
	for {
		var t turn
		if err := decoder.Decode(&t); errors.Is(err, io.EOF) {
			return buffered.Flush()
		} else if err != nil {
			return fmt.Errorf("read a turn: %w", err)
		}
		start := time.Now()
		result := classifier.Classify(classify.Input{Message: t.Message, PriorTurn: t.Prior}, classify.Hints{})
		took := time.Since(start)
		if err := encoder.Encode(answer{
			result.Tier.String(), result.Category, result.Difficulty, result.Confidence, float64(took.Nanoseconds()) / 1000,
		}); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
}
