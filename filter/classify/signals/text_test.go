package signals

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// read is what a text shows.
func read(text string) signals {
	s, _ := scan(text, make([]byte, 0, proseSpace))
	return s
}

func TestReadForgetsWhatItReadBefore(t *testing.T) {
	t.Parallel()
	var fresh, used Text
	used.Read("Prove that 証明 x^2 > 0 for every x\n```go\nfunc main() {\n```")
	for _, text := range []string{"write a poem", "", "ok"} {
		fresh = Text{}
		fresh.Read(text)
		used.Read(text)
		assert.Equal(t, fresh.Dense, used.Dense, text)
		assert.ElementsMatch(t, fresh.Grams, used.Grams, text)
	}
}

func TestGramsAreWordsAndPieces(t *testing.T) {
	t.Parallel()
	grams := func(text string) map[uint32]bool {
		var read Text
		read.Read(text)
		set := map[uint32]bool{}
		for _, gram := range read.Grams {
			assert.False(t, set[gram], "%q has a gram twice", text)
			set[gram] = true
		}
		return set
	}
	shared := func(a, b string) (n int) {
		other := grams(b)
		for gram := range grams(a) {
			if other[gram] {
				n++
			}
		}
		return n
	}
	assert.Equal(t, len(grams("write a poem")), shared("write a poem", "Write a  POEM!"))
	assert.Positive(t, shared("refactoring", "refactored"))
	assert.Positive(t, shared("translate", "tran"+"lsate"))
	assert.Positive(t, shared("证明这个定理", "请证明定理"))
	assert.Zero(t, shared("abc", "xyz"))
}

func TestGramsComeFromBothEndsOfLongProse(t *testing.T) {
	t.Parallel()
	var whole, ends Text
	filler := strings.Repeat("filler words of no use at all ", 200)
	whole.Read("alphabet " + filler + "zebra")
	ends.Read("alphabet zebra")
	assert.Contains(t, whole.Grams, ends.Grams[0])
	for _, gram := range ends.Grams {
		if gram >= Pieces {
			assert.Contains(t, whole.Grams, gram)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Prove it, please.\n```\ncode();\n```")
	f.Add("证明 $x^2$ — \u200b\U0010ffff")
	f.Add("at (a:1\n2024-01-01T\nA. x\n- y")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text[:min(len(text), 8<<10)], "?")
		var first, second Text
		first.Read(text)
		for _, gram := range first.Grams {
			if gram >= Buckets {
				t.Fatalf("gram %d", gram)
			}
		}
		for i, value := range first.Dense {
			if math.IsNaN(float64(value)) || value < 0 || value > 8 {
				t.Fatalf("signal %d is %v", i, value)
			}
		}
		second.Read("something else")
		second.Read(text)
		if first.Dense != second.Dense || len(first.Grams) != len(second.Grams) {
			t.Fatal("a text was read in two ways")
		}
	})
}
