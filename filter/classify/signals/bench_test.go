package signals

import "testing"

func BenchmarkLexicon(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newLexicon(languages)
	}
}

func BenchmarkConcepts(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newConcepts(conceptsFile)
	}
}
