// Command features reads turns as JSON Lines ("message" and "prior_turn") and
// prints three lines for each: what the model sees of the message, of the prior
// turn, and of how they stand to each other.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/classify/signals"
)

type seen struct {
	Dense []float32 `json:"dense"`
	Grams []uint32  `json:"grams"`
}

type turn struct {
	Message string `json:"message"`
	Prior   string `json:"prior_turn"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "features:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	buffered := bufio.NewWriter(out)
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(buffered)
	var message, prior signals.Text
	for {
		var t turn
		if err := decoder.Decode(&t); errors.Is(err, io.EOF) {
			return buffered.Flush()
		} else if err != nil {
			return fmt.Errorf("read a turn: %w", err)
		}
		framed := classify.Frame(classify.Input{Message: t.Message, PriorTurn: t.Prior}, true)
		message.Read(framed.Message)
		prior.Read(framed.Prior)
		pair := signals.Pair(&message, &prior)
		for _, part := range []seen{{message.Dense[:], message.Grams}, {prior.Dense[:], prior.Grams}, {pair[:], nil}} {
			if err := encoder.Encode(part); err != nil {
				return fmt.Errorf("write what is seen: %w", err)
			}
		}
	}
}
