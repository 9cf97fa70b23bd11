package replay

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"
)

const threeLines = "{\"a\": 1}\n\n  {\"b\": 2}  \r\n{\"c\": 3}"

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	_, err := io.WriteString(writer, text)
	require.NoError(t, errors.Join(err, writer.Close()))
	return out.Bytes()
}

func xzed(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	writer, err := xz.NewWriter(&out)
	require.NoError(t, err)
	_, err = io.WriteString(writer, text)
	require.NoError(t, errors.Join(err, writer.Close()))
	return out.Bytes()
}

// readLines reads all lines of a source, each with its number.
func readLines(t *testing.T, path string, stdin io.Reader) (texts []string, numbers []int, err error) {
	t.Helper()
	var taken atomic.Int64
	in, err := open(path, stdin, &taken)
	if err != nil {
		return nil, nil, err
	}
	defer func() { assert.NoError(t, in.Close()) }()
	for from := newLines(in); ; {
		text, err := from.next()
		if errors.Is(err, io.EOF) {
			return texts, numbers, nil
		}
		if err != nil {
			return texts, numbers, err
		}
		texts, numbers = append(texts, string(text)), append(numbers, from.number)
	}
}

func TestOpen_ReadsFilesHoweverTheyAreCompressed(t *testing.T) {
	t.Parallel()
	for name, stored := range map[string][]byte{
		"plain": []byte(threeLines), "gzip": gzipped(t, threeLines), "xz": xzed(t, threeLines),
		"two gzip files in one": append(gzipped(t, threeLines[:9]), gzipped(t, threeLines[9:])...),
	} {
		path := filepath.Join(t.TempDir(), "no-matter-what-it-is-called")
		require.NoError(t, os.WriteFile(path, stored, 0o600))
		for how, stdin := range map[string]io.Reader{path: nil, Stdin: bytes.NewReader(stored)} {
			texts, numbers, err := readLines(t, how, stdin)
			require.NoError(t, err, name)
			assert.Equal(t, []string{`{"a": 1}`, `{"b": 2}`, `{"c": 3}`}, texts, name)
			assert.Equal(t, []int{1, 3, 4}, numbers, name)
		}
	}
}

func TestOpen_AnEmptyFileHasNoLines(t *testing.T) {
	t.Parallel()
	texts, _, err := readLines(t, Stdin, strings.NewReader(""))
	require.NoError(t, err)
	assert.Empty(t, texts)
}

func TestOpen_NamesTheFileThatIsNotWhatItSeems(t *testing.T) {
	t.Parallel()
	_, _, err := readLines(t, "none.jsonl", nil)
	require.EqualError(t, err, "open none.jsonl: no such file or directory")
	_, _, err = readLines(t, Stdin, bytes.NewReader(gzipped(t, "x")[:9]))
	require.EqualError(t, err, "stdin: unexpected EOF")
	texts, _, err := readLines(t, Stdin, bytes.NewReader(xzed(t, threeLines)[:40]))
	require.Error(t, err, "what is cut off is no end")
	assert.Equal(t, []string{`{"a": 1}`}, texts)
}

func TestOpen_CountsBytesAsTheyAreStored(t *testing.T) {
	t.Parallel()
	stored := gzipped(t, strings.Repeat(threeLines, 1000))
	var taken atomic.Int64
	in, err := open(Stdin, bytes.NewReader(stored), &taken)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, in)
	require.NoError(t, err)
	assert.EqualValues(t, len(stored), taken.Load())
}

func TestStored_IsKnownOfFilesAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(path, []byte("12345"), 0o600))
	assert.EqualValues(t, 10, stored([]string{path, path}))
	assert.Zero(t, stored([]string{path, Stdin}))
	assert.Zero(t, stored([]string{path, t.TempDir()}))
}

func TestLines_SkipsALineThatIsTooLongAndGoesOn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200_000)
	from := newLines(strings.NewReader("first\n" + long + "\nlast"))
	from.most = 100_000
	text, err := from.next()
	require.NoError(t, err)
	assert.Equal(t, "first", string(text))
	_, err = from.next()
	require.ErrorIs(t, err, errLong)
	require.EqualError(t, err, "the line is too long: 200001 bytes, of at most 100000")
	text, err = from.next()
	require.NoError(t, err)
	assert.Equal(t, "last", string(text))
	assert.Equal(t, 3, from.number)
	_, err = from.next()
	require.ErrorIs(t, err, io.EOF)
}

func TestLines_TellsWhatBrokeFromTheEnd(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	from := newLines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)))
	_, err := from.next()
	require.NoError(t, err)
	_, err = from.next()
	require.ErrorIs(t, err, broken)
}
