// Package turns reads the turns that training and judging ask about, as JSON
// Lines, and writes what is said of each.
package turns

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pointsman/pointsman/filter/classify"
)

// Main calls each for every turn of standard input, in order, and prints what it
// says to standard output, a line for each value. It ends the process where that
// fails; name is the command's.
func Main(name string, each func(classify.Input) []any) {
	if err := run(os.Stdin, os.Stdout, each); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, each func(classify.Input) []any) error {
	buffered := bufio.NewWriter(out)
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(buffered)
	for {
		var turn struct {
			Message string `json:"message"`
			Prior   string `json:"prior_turn"`
		}
		if err := decoder.Decode(&turn); errors.Is(err, io.EOF) {
			return buffered.Flush()
		} else if err != nil {
			return fmt.Errorf("read a turn: %w", err)
		}
		for _, said := range each(classify.Input{Message: turn.Message, PriorTurn: turn.Prior}) {
			if err := encoder.Encode(said); err != nil {
				return fmt.Errorf("write what is said of a turn: %w", err)
			}
		}
	}
}
