package replay

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/ulikunitz/xz"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// source is a file of sessions being read, decompressed as it goes.
type source struct {
	io.Reader

	name   string // what messages call it
	closer io.Closer
}

// Close closes the file.
func (s *source) Close() error { return s.closer.Close() }

// open opens a file, plain or compressed with gzip or xz, which it tells by its
// first bytes, so that a pipe needs no name. The bytes that are read of it, as it
// is stored, are added to taken.
func open(path string, stdin io.Reader, taken *atomic.Int64) (*source, error) {
	if path == Stdin {
		return decompressed("stdin", io.NopCloser(stdin), taken)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return decompressed(path, file, taken)
}

func decompressed(name string, in io.ReadCloser, taken *atomic.Int64) (*source, error) {
	stored := bufio.NewReaderSize(&counting{in, taken}, 1<<16)
	reader, err := decompressor(stored)
	if err != nil {
		_ = in.Close() // nothing was written
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &source{Reader: reader, name: name, closer: in}, nil
}

func decompressor(stored *bufio.Reader) (io.Reader, error) {
	start, _ := stored.Peek(6) // a shorter file is a plain one, and reading says what is wrong
	switch {
	case bytes.HasPrefix(start, []byte{0x1f, 0x8b}):
		return gzip.NewReader(stored)
	case bytes.Equal(start, []byte("\xfd7zXZ\x00")):
		return xz.NewReader(stored)
	default:
		return stored, nil
	}
}

// counting counts what is read.
type counting struct {
	io.Reader

	taken *atomic.Int64
}

func (c *counting) Read(into []byte) (int, error) {
	n, err := c.Reader.Read(into)
	c.taken.Add(int64(n))
	return n, err
}

// stored is how many bytes the files hold, as they are stored; 0 where that is
// not known of all of them.
func stored(paths []string) int64 {
	var total int64
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		total += info.Size()
	}
	return total
}
