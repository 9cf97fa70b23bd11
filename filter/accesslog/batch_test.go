package accesslog

import (
	"path/filepath"
	"strings"
	"testing"

	alv3 "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"
	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

func readBatch(tb testing.TB, wire []byte) *batch {
	tb.Helper()
	var b batch
	// In two frames, and from memory that is used again.
	half := len(wire) / 2
	require.NoError(tb, b.Unmarshal(mem.BufferSlice{mem.SliceBuffer(wire[:half]), mem.SliceBuffer(wire[half:])}))
	return &b
}

func TestBatchHasAllThatARecordNeeds(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.entry.json")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		entry := readEntry(t, strings.TrimSuffix(filepath.Base(path), ".entry.json"))
		wire, err := proto.Marshal(httpLogs(entry, entry))
		require.NoError(t, err)
		read := readBatch(t, wire).GetHttpLogs().GetLogEntry()
		require.Len(t, read, 2)
		for _, one := range read {
			assert.Empty(t, cmp.Diff(recordOf(t, entry), recordOf(t, one), protocmp.Transform()), path)
			assert.Less(t, proto.Size(one), proto.Size(entry))
		}
	}
}

func TestBatchLeavesOutWhatNoRecordNeeds(t *testing.T) {
	t.Parallel()
	wire, err := proto.Marshal(httpLogs(readEntry(t, "answered")))
	require.NoError(t, err)
	entry := readBatch(t, wire).GetHttpLogs().GetLogEntry()[0]
	assert.Empty(t, entry.GetRequest().GetAuthority())
	assert.Nil(t, entry.GetCommonProperties().GetDownstreamRemoteAddress())
	decided := entry.GetCommonProperties().GetMetadata().GetFilterMetadata()["pointsman"].GetFields()
	assert.Len(t, decided, 1)
	assert.Contains(t, decided, "packed")
}

func TestBatchSaysWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	wire, err := proto.Marshal(httpLogs(readEntry(t, "answered")))
	require.NoError(t, err)
	for _, broken := range [][]byte{wire[:len(wire)-1], append(wire, 0xff), {0x12, 0x02, 0x12, 0x05}} {
		assert.Error(t, new(batch).Unmarshal(mem.BufferSlice{mem.SliceBuffer(broken)}))
	}
}

// FuzzBatch holds what is read of a message to what protobuf itself reads, where
// it finds nothing broken: what is left out may be.
func FuzzBatch(f *testing.F) {
	for _, name := range []string{"answered", "answered_stream", "failed_open_down", "client_gone_h2_streaming", "retries_exhausted"} {
		wire, err := proto.Marshal(httpLogs(readEntry(f, name), &alv3.HTTPAccessLogEntry{}))
		require.NoError(f, err)
		f.Add(wire)
	}
	cfg := testConfig()
	f.Fuzz(func(t *testing.T, wire []byte) {
		var all alsv3.StreamAccessLogsMessage
		if proto.Unmarshal(wire, &all) != nil {
			return
		}
		want, got := all.GetHttpLogs().GetLogEntry(), readBatch(t, wire).GetHttpLogs().GetLogEntry()
		require.Len(t, got, len(want))
		for i := range want {
			expected, err := newRecord(want[i], cfg)
			if err != nil {
				continue
			}
			record, err := newRecord(got[i], cfg)
			require.NoError(t, err)
			assert.Empty(t, cmp.Diff(expected, record, protocmp.Transform()))
		}
	})
}
