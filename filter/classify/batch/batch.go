package batch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/pointsman/pointsman/filter/classify"
)

// longestLine bounds what is held of one line, in bytes: it is more than any
// request may have by default.
const longestLine = 64 << 20

// ahead is how many lines are held for each core, so that none waits for a long
// one.
const ahead = 8

// job is a line on its way. done has room for its answer, so nobody waits who
// classified it.
type job struct {
	line   []byte
	number int
	done   chan outcome
}

type outcome struct {
	text []byte
	ok   bool
}

// Run classifies every line of in and writes a line each to out, in order. A
// line that cannot be read is answered with {"error": "line N: ..."} and counted
// in bad; the rest goes on. Blank lines are skipped. An answer is written out as
// soon as no other is ready behind it. The error is one of reading or writing.
func Run(classifier *classify.Classifier, in io.Reader, out io.Writer) (bad int, err error) {
	workers := runtime.GOMAXPROCS(0)
	jobs, ordered, quit := make(chan job), make(chan job, ahead*workers), make(chan struct{})
	for range workers {
		go work(classifier, jobs)
	}
	failed := make(chan error, 1)
	go func() {
		defer close(jobs)
		defer close(ordered)
		failed <- read(in, jobs, ordered, quit)
	}()
	bad, err = write(out, ordered)
	close(quit)
	if err != nil {
		return bad, err // who reads may wait for input, and is left to that
	}
	return bad, <-failed
}

func work(classifier *classify.Classifier, jobs <-chan job) {
	for j := range jobs {
		text, ok := classified(classifier, j.line, j.number)
		j.done <- outcome{text, ok}
	}
}

// read hands the lines out, and in the same order to who writes.
func read(in io.Reader, jobs, ordered chan<- job, quit <-chan struct{}) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	for number := 1; ; number++ {
		line, long, err := readLine(lines)
		if line = bytes.TrimSpace(line); len(line) > 0 || long {
			j := job{line, number, make(chan outcome, 1)}
			select {
			case ordered <- j:
			case <-quit:
				return nil
			}
			if long {
				j.done <- outcome{tooLong(number), false}
			} else {
				jobs <- j
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read line %d: %w", number, err)
		}
	}
}

// readLine reads a line, and of one that is too long no more than its end.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err //nolint:wrapcheck // the caller knows the line's number
		}
	}
}

func write(out io.Writer, ordered <-chan job) (bad int, err error) {
	buffered := bufio.NewWriterSize(out, 1<<16)
	for j := range ordered {
		result := <-j.done
		if !result.ok {
			bad++
		}
		_, err = buffered.Write(result.text)
		if err == nil && len(ordered) == 0 {
			err = buffered.Flush()
		}
		if err != nil {
			return bad, fmt.Errorf("write: %w", err)
		}
	}
	if err = buffered.Flush(); err != nil {
		return bad, fmt.Errorf("write: %w", err)
	}
	return bad, nil
}
