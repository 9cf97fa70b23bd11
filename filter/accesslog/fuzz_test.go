package accesslog

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	alv3 "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/pointsman/pointsman/filter/decision"
)

// Entries come from the network. Whatever they hold, there is a record with an
// outcome that is bounded and that JSON can say.
func FuzzRecord(f *testing.F) {
	entries, err := filepath.Glob("testdata/*.entry.json")
	require.NoError(f, err)
	for _, path := range entries {
		wire, err := proto.Marshal(readEntry(f, strings.TrimSuffix(filepath.Base(path), ".entry.json")))
		require.NoError(f, err)
		f.Add(wire)
	}
	cfg := testConfig()
	f.Fuzz(func(t *testing.T, wire []byte) {
		var entry alv3.HTTPAccessLogEntry
		if proto.Unmarshal(wire, &entry) != nil {
			return // gRPC refuses it before any code of ours
		}
		record, _ := newRecord(&entry, cfg) // whatever is wrong with it, the record stands
		outcome := record.GetOutcome()
		require.NotNil(t, outcome)
		assert.True(t, slices.Contains(decision.Kinds(), outcome.GetKind()), outcome.GetKind())
		assert.NotContains(t, outcome.GetPath(), "?")
		for _, text := range []string{outcome.GetPath(), outcome.GetDetails(), outcome.GetUpstreamAddress(), outcome.GetRequestId()} {
			assert.LessOrEqual(t, len(text), maxText)
			assert.True(t, utf8.ValidString(text))
		}
		for _, number := range []float64{outcome.GetFirstByteMs(), outcome.GetDurationMs(), outcome.GetAddedMs(), record.GetUsage().GetCost()} {
			assert.False(t, math.IsNaN(number) || math.IsInf(number, 0) || number < 0, number)
		}
		assert.True(t, json.Valid(logLine(t, record)))
	})
}
