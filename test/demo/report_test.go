package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProblemsAreAnErrorAfterTheReport(t *testing.T) {
	t.Parallel()
	told := report{Problems: []string{"2 (lookup; model auto): the client's status is 503, want 200"}, AllLargestCostUSD: 1}
	var out bytes.Buffer
	err := told.write(options{}, &out)
	require.EqualError(t, err, "not everything is as it should be:\n2 (lookup; model auto): the client's status is 503, want 200")
	assert.Contains(t, out.String(), "prompt tokens")
	assert.NotContains(t, out.String(), "✓ Every request")
}

func TestReportIsNotColouredOffATerminal(t *testing.T) {
	t.Parallel()
	told := report{AllLargestCostUSD: 1}
	var out bytes.Buffer
	require.NoError(t, told.write(options{}, &out))
	assert.NotContains(t, out.String(), "\x1b")
	assert.Contains(t, out.String(), "✓ Every request")
}
