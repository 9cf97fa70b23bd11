package explain

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/pointsman/pointsman/filter"
)

// Options change what is printed.
type Options struct {
	// ShowInput adds what the classifier was shown to every routed line. That
	// is text of the prompt.
	ShowInput bool
	// Notes is told of keys that are not read; nil for nobody.
	Notes io.Writer
}

// Run explains every line of in, in order, and writes a line each to out. A line
// that cannot be read is answered with {"error": "line N: ..."} and counted in
// bad; the rest goes on. Blank lines are skipped. The error is one of reading or
// writing.
func Run(pipeline *filter.Pipeline, in io.Reader, out io.Writer, options Options) (bad int, err error) {
	lines := bufio.NewReaderSize(in, 1<<16)
	buffered := bufio.NewWriter(out)
	for number := 1; ; number++ {
		line, readErr := lines.ReadBytes('\n')
		answer, ok, isBlank := explainLine(pipeline, line, number, options)
		if !ok {
			bad++
		}
		if !isBlank {
			// A line is written out at once, so that a program on the other end
			// of the pipe can wait for it.
			if err := errors.Join(writeLine(buffered, answer), buffered.Flush()); err != nil {
				return bad, fmt.Errorf("write: %w", err)
			}
		}
		if errors.Is(readErr, io.EOF) {
			return bad, nil
		}
		if readErr != nil {
			return bad, fmt.Errorf("read line %d: %w", number, readErr)
		}
	}
}
