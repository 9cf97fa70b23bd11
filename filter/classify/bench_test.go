package classify

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/filter/decision"
)

// benchSizes are those of the turns that are measured.
var benchSizes = []struct {
	name  string
	bytes int
}{{"200B", 200}, {"2KB", 2 << 10}, {"10KB", 10 << 10}, {"10MB", 10 << 20}}

// written is so much of what people wrote, one after the other: a text that
// repeats itself has few grams, and is cheaper than any real one.
func written(b *testing.B, bytes int) string {
	b.Helper()
	var all strings.Builder
	for _, turn := range readTurns(b, "testdata/gold.jsonl") {
		all.WriteString(turn.Message + "\n")
	}
	return strings.Repeat(all.String(), bytes/all.Len()+1)[:bytes]
}

// benchPriors are the turns before them.
var benchPriors = []struct{ name, prior string }{{"bare", ""}, {"framed", hardTurn}}

func BenchmarkClassify(b *testing.B) {
	for _, size := range benchSizes {
		for _, framed := range benchPriors {
			b.Run(size.name+"/"+framed.name, func(b *testing.B) {
				in := Input{Message: written(b, size.bytes), PriorTurn: framed.prior}
				classifier := New(decision.Medium, true)
				b.ReportAllocs()
				for b.Loop() {
					classifier.Classify(in, Hints{})
				}
			})
		}
	}
}

// BenchmarkClassifySlowest reports the 99th percentile of single turns.
func BenchmarkClassifySlowest(b *testing.B) {
	for _, size := range benchSizes {
		for _, framed := range benchPriors {
			b.Run(size.name+"/"+framed.name, func(b *testing.B) {
				in := Input{Message: written(b, size.bytes), PriorTurn: framed.prior}
				b.ReportMetric(float64(slowest(b, in).Microseconds()), "p99-µs")
			})
		}
	}
}

// slowest is the 99th percentile of how long an input takes.
func slowest(b *testing.B, in Input) time.Duration {
	b.Helper()
	classifier := New(decision.Medium, true)
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		classifier.Classify(in, Hints{})
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(weightsFile); err != nil {
			b.Fatal(err)
		}
	}
}
