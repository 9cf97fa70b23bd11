package replay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds the bytes of one session, which is held in memory as a whole.
const maxLine = 256 << 20

// lines reads a file line by line.
type lines struct {
	in     *bufio.Reader
	number int // of the line read last, from 1
	most   int // bytes of a line
}

func newLines(in io.Reader) *lines {
	return &lines{in: bufio.NewReaderSize(in, 1<<16), most: maxLine}
}

// errLong is the error about a line that is skipped for its length.
var errLong = errors.New("the line is too long")

// next is the next line that is not blank, for the caller to keep; io.EOF behind
// the last.
func (l *lines) next() ([]byte, error) {
	for {
		text, err := l.line()
		if err != nil {
			return nil, err
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			return text, nil
		}
	}
}

func (l *lines) line() ([]byte, error) {
	var text []byte
	size := 0
	l.number++
	for {
		part, err := l.in.ReadSlice('\n')
		if size += len(part); size <= l.most {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && (size == 0 || !errors.Is(err, io.EOF)):
			return nil, err
		case size > l.most:
			return nil, fmt.Errorf("%w: %d bytes, of at most %d", errLong, size, l.most)
		default:
			return text, nil
		}
	}
}
