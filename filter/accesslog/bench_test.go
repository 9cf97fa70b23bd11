package accesslog

import (
	"io"
	"testing"

	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
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

// What it costs to read one.
func BenchmarkBatch(b *testing.B) {
	wire, err := proto.Marshal(httpLogs(readEntry(b, "answered_stream")))
	require.NoError(b, err)
	data := mem.BufferSlice{mem.SliceBuffer(wire)}
	b.Run("needed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := new(batch).Unmarshal(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := proto.Unmarshal(wire, new(alsv3.StreamAccessLogsMessage)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
