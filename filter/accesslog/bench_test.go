package accesslog

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// What one finished request costs, off its path.
func BenchmarkRecord(b *testing.B) {
	log, err := OpenLog(Stdout, io.Discard)
	require.NoError(b, err)
	entry, cfg := readEntry(b, "answered_stream"), testConfig()
	b.ReportAllocs()
	for b.Loop() {
		record, err := newRecord(entry, cfg)
		if err != nil {
			b.Fatal(err)
		}
		if err := log.Write(record); err != nil {
			b.Fatal(err)
		}
	}
}
