package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDemoRoutesASessionThroughARealEnvoy plays the demo. That everything is as
// it should be, down to each byte, is what the demo itself checks.
func TestDemoRoutesASessionThroughARealEnvoy(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), []string{"--json"}, &stdout, &stderr), "%s", &stderr)

	var told report
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &told))
	want := map[string]string{
		"greeting": "small", "lookup": "small", "design question": "large", `"yes, go ahead"`: "large",
		"fix a failing test": "medium", "result of run_tests": "medium", "result of read_file": "medium",
		"image of a chart": "medium", "60 KB log, auto-fast": "medium", "thanks": "medium",
	}
	require.Len(t, told.Sessions, len(sessions))
	for _, played := range told.Sessions {
		models := map[string]string{}
		for _, r := range played.Rows {
			assert.True(t, r.OnlyModelChanged, r.Asked)
			models[r.Asked] = r.Model
		}
		assert.Equal(t, want, models, played.API)
	}
	require.Len(t, told.Outage, 2)
	assert.Equal(t, "medium", told.Outage[0].Model)
	assert.Empty(t, told.Outage[0].Decision)
	assert.Equal(t, "small", told.Outage[1].Model)
	assert.Less(t, told.CostUSD, told.AllLargestCostUSD)

	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestUsageErrorsExitWith2(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--nonsense"}, {"extra"}, {"--stay", "--json"}} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, exitUsage, run(t.Context(), args, &stdout, &stderr), args)
		assert.Contains(t, stderr.String(), "Run with --help for usage.")
		assert.Empty(t, stdout.String())
	}
}

func TestHelpHasExamples(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, exitOK, run(t.Context(), []string{"--help"}, &stdout, &stderr))
	assert.Contains(t, stdout.String(), "go run ./test/demo --json")
}
