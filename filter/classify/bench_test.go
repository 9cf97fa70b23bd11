package classify

import (
	"strings"
	"testing"

	"github.com/pointsman/pointsman/filter/decision"
)

func BenchmarkClassify(b *testing.B) {
	// What people wrote, one after the other: a text that repeats itself has few
	// grams, and is cheaper than any real one.
	var all strings.Builder
	for _, turn := range readTurns(b, "testdata/gold.jsonl") {
		all.WriteString(turn.Message + "\n")
	}
	text := all.String()
	for _, size := range []struct {
		name  string
		bytes int
	}{{"200B", 200}, {"2KB", 2 << 10}, {"10KB", 10 << 10}, {"10MB", 10 << 20}} {
		for _, framed := range []struct{ name, prior string }{{"bare", ""}, {"framed", hardTurn}} {
			b.Run(size.name+"/"+framed.name, func(b *testing.B) {
				in := Input{Message: strings.Repeat(text, size.bytes/len(text)+1)[:size.bytes], PriorTurn: framed.prior}
				classifier := New(decision.Medium, true)
				b.ReportAllocs()
				for b.Loop() {
					classifier.Classify(in, Hints{})
				}
			})
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(weightsFile); err != nil {
			b.Fatal(err)
		}
	}
}
