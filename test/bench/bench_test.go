package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

func TestBodiesAreOfTheirSizeAndTheSameOnEveryRun(t *testing.T) {
	t.Parallel()
	for _, size := range sizes() {
		content := body(size)
		assert.InEpsilon(t, size, len(content), 0.1)
		assert.Equal(t, content, body(size))
		request, err := conversation.Read(conversation.OpenAIChat, content)
		require.NoError(t, err)
		assert.Equal(t, 3, request.ToolCount)
		assert.Positive(t, request.ToolResults())
		assert.NotEmpty(t, request.HumanTurn().Text)
	}
}

// The ratio of a round is taken before the median: arms of one round meet the
// same machine.
func TestRatiosAreThoseOfRounds(t *testing.T) {
	t.Parallel()
	r := row{Bytes: 1000}
	for _, p50 := range [][2]float64{{2, 1}, {30, 10}, {4, 1}, {5, 1}} {
		one := sample{PerSecond: 1, CPU: 1, EnvoyCPU: 1, Peak: 5000}
		two := one
		one.P50, two.P50, one.P99, two.P99 = p50[0], p50[1], 1, 1
		r.Rounds = append(r.Rounds, round{Pointsman: one, Echo: two})
	}
	r.summarise(&pair{pointsman: &arm{idle: 1000}, echo: &arm{idle: 3000}}, 2)
	assert.Equal(t, spread{Median: 3.5, Min: 2, Max: 5}, r.Ratios.P50)
	assert.Equal(t, "**3.50** (2.00–5.00)", r.Ratios.P50.String())
	assert.InDelta(t, 4.5, r.Pointsman.P50, 0)
	assert.InDelta(t, 2, r.InFlight.Pointsman, 0)
	assert.InDelta(t, 1, r.InFlight.Echo, 0)
}

func TestQuantilesAreOfTheSortedTimes(t *testing.T) {
	t.Parallel()
	times := []time.Duration{1, 2, 3, 4}
	assert.Equal(t, time.Duration(3), quantile(times, 0.5))
	assert.Equal(t, time.Duration(4), quantile(times, 0.99))
	assert.Equal(t, time.Duration(7), quantile([]time.Duration{7}, 0.5))
}

func TestTableStandsBetweenTheMarkers(t *testing.T) {
	t.Parallel()
	text := []byte("above\n" + beginMarker + "\nold\n" + endMarker + "\nbelow\n")
	changed, err := between(text, "new")
	require.NoError(t, err)
	assert.Equal(t, "above\n"+beginMarker+"\nnew\n"+endMarker+"\nbelow\n", string(changed))
	for _, lacking := range []string{"", beginMarker + "\n", endMarker + "\n" + beginMarker + "\n"} {
		_, err = between([]byte(lacking), "new")
		assert.ErrorContains(t, err, "has no line <!-- bench:begin -->")
	}
}

func TestUsageOfAProcessIsReadFromItsFiles(t *testing.T) {
	t.Parallel()
	used, err := cpuTime(os.Getpid())
	require.NoError(t, err)
	assert.GreaterOrEqual(t, used, time.Duration(0))
	resident, err := residentBytes(os.Getpid())
	require.NoError(t, err)
	peak, err := peakBytes(os.Getpid())
	require.NoError(t, err)
	assert.Positive(t, resident)
	assert.GreaterOrEqual(t, peak, int64(megabyte))
	_, err = cpuTime(-1)
	require.Error(t, err)
}

func TestUsageErrorsExitWith2(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, exitUsage, run(t.Context(), []string{"--fast"}, &stdout, &stderr))
	assert.Equal(t, "bench: unknown flag: --fast\nRun with --help for usage.\n", stderr.String())
	assert.Empty(t, stdout.String())
}

// It measures for a moment only: that everything starts, serves and is counted.
func TestPairServesBothArms(t *testing.T) {
	t.Parallel()
	p, err := newPair(t.Context(), t.TempDir(), bodyMode)
	defer func() { assert.NoError(t, p.stop()) }()
	require.NoError(t, err)
	brief := plan{rounds: 2, latency: time.Millisecond, throughput: time.Millisecond, warmUp: 1, clients: 2}
	r, err := p.compare(t.Context(), brief, 100*kilobyte)
	require.NoError(t, err)
	assert.Len(t, r.Rounds, 2)
	assert.Positive(t, r.Ratios.P50.Min)
	text, err := json.Marshal(r)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"mode":"buffered"`)
	assert.Regexp(t, `^\| 100 KB \| [0-9.]+ / [0-9.]+ \| \*\*`, r.line())
}
