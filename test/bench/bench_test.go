package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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

// sampleReport is a report with a row of each setup.
func sampleReport() *report {
	figures := sample{P50: 2, P99: 3, PerSecond: 1000, CPU: 0.25, EnvoyCPU: 0.5, Peak: 50 * megabyte}
	found := &report{CPUs: 2, Load: "0.10", Clients: 8, plan: plan{rounds: 7}}
	for _, s := range setups() {
		for _, size := range s.sizes {
			r := row{Mode: s.mode, Unlogged: s.unlogged, Bytes: size, Rounds: []round{{figures, figures}}}
			r.summarise(&pair{pointsman: &arm{}, echo: &arm{}}, 8)
			found.Rows = append(found.Rows, r)
		}
	}
	return found
}

// The shipped documents have their markers, and of what is around them nothing
// changes.
func TestWriteReplacesWhatStandsBetweenTheMarkersOfTheDocuments(t *testing.T) {
	t.Parallel()
	found := sampleReport()
	for name, tables := range map[string]struct{ marker, table string }{
		"README.md":       {shortMarker, found.short()},
		"ARCHITECTURE.md": {wholeMarker, found.whole()},
	} {
		shipped, err := os.ReadFile(filepath.Join("..", "..", name))
		require.NoError(t, err)
		copied := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(copied, shipped, 0o600))
		for range 2 { // the second time changes nothing
			require.NoError(t, found.write([]string{copied}))
			written, err := os.ReadFile(copied)
			require.NoError(t, err)
			before, rest, _ := strings.Cut(string(shipped), beginOf(tables.marker)+"\n")
			_, after, found := strings.Cut(rest, endOf(tables.marker)+"\n")
			require.True(t, found, name)
			assert.Equal(t, before+beginOf(tables.marker)+"\n\n"+tables.table+"\n"+endOf(tables.marker)+"\n"+after, string(written))
		}
	}
}

func TestWriteSaysWhatADocumentLacks(t *testing.T) {
	t.Parallel()
	for _, lacking := range []string{"", beginOf(wholeMarker) + "\n", endOf(shortMarker) + "\n" + beginOf(shortMarker) + "\n"} {
		file := filepath.Join(t.TempDir(), "README.md")
		require.NoError(t, os.WriteFile(file, []byte(lacking), 0o600))
		require.ErrorIs(t, sampleReport().write([]string{file}), errNoMarkers)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, lacking, string(text))
	}
}

func TestTablesHaveARowForEachSizeInEachMode(t *testing.T) {
	t.Parallel()
	found := sampleReport()
	assert.Contains(t, found.whole(), "| full_duplex_streamed | 20 MB | 2.00 / 2.00 | **1.00** (1.00–1.00) |")
	assert.Contains(t, found.whole(), "| buffered, no log | 2 KB |")
	assert.Contains(t, found.linear(), "| buffered | 5 MB | 0.05 / 0.05 | 0.10 / 0.10 |")
	assert.NotContains(t, found.linear(), "2 KB")
	assert.Contains(t, found.short(), "| full_duplex_streamed | 100 KB | 2.00 / 2.00 | 1.00 | 1.00 | 0.25 / 0.25 |")
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
func TestPairsServeBothArmsInEverySetup(t *testing.T) {
	t.Parallel()
	brief := plan{rounds: 2, latency: time.Millisecond, throughput: time.Millisecond, warmUp: 1, clients: 2}
	for _, s := range setups() {
		s.sizes = []int{sizeable}
		rows, err := brief.measureAll(t.Context(), t.TempDir(), s, func(string, ...any) {})
		require.NoError(t, err, s.name())
		require.Len(t, rows, 1)
		assert.Len(t, rows[0].Rounds, 2)
		assert.Positive(t, rows[0].Ratios.P50.Min)
		text, err := json.Marshal(rows[0])
		require.NoError(t, err)
		assert.Contains(t, string(text), `"mode":"`+s.mode+`"`)
	}
}
