package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTableStandsInColumnsAsWideAsTheirWidestCell(t *testing.T) {
	t.Parallel()
	plain := table{
		columns: []column{{title: "#"}, {title: "asked"}, {title: "USD", right: true}},
		lines: []line{
			{cells: []string{"1", "“hi”", "0.1"}, note: "because"},
			{title: "an outage"},
			{cells: []string{"down", "a", "12.34"}},
		},
	}
	var out strings.Builder
	plain.print(&out, style{})
	want := `
#     asked    USD
1     “hi”     0.1
      └ because
an outage
down  a      12.34
`
	assert.Equal(t, want, "\n"+out.String())
}

func TestTableColoursDoNotMoveColumns(t *testing.T) {
	t.Parallel()
	one := table{columns: []column{{title: "a"}, {title: "b"}}, lines: []line{{cells: []string{"long", "x"}, note: "n"}}}
	var plain, coloured strings.Builder
	one.print(&plain, style{})
	one.print(&coloured, style{colour: true})
	without := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "").Replace(coloured.String())
	assert.NotEqual(t, plain.String(), coloured.String())
	assert.Equal(t, plain.String(), without)
}

func TestTableOfCostliestRowsFitsATerminalOf120Columns(t *testing.T) {
	t.Parallel()
	widest := row{
		Label: "5.2", Asked: "60 KB log, auto-fast", Stream: true, Decision: "id", Category: "coding_general", Tier: "reasoning",
		Model: "medium", EstimatedTokens: 99_999, PromptTokens: 99_999, CostUSD: 0.123456, Status: 200,
		Milliseconds: 1234.5, AddedMilliseconds: 123.4, OnlyModelChanged: true,
		Why: "tier complex, medium for auto-fast: small has no vision; medium $0.012 < large $0.064",
	}
	told := report{Sessions: []session{{Rows: []row{widest}}}, Outage: []row{{Label: "down"}}, LargestModel: "large", AllLargestCostUSD: 1}
	var out strings.Builder
	require.NoError(t, told.writeText(&out, style{}))
	for text := range strings.SplitSeq(out.String(), "\n") {
		assert.LessOrEqual(t, len([]rune(text)), 120, text)
	}
}

func TestGroupedCountsHaveCommas(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 15020: "15,020", 1234567: "1,234,567"} {
		assert.Equal(t, want, grouped(count))
	}
}

func TestRowWithoutADecisionHasDashes(t *testing.T) {
	t.Parallel()
	open := row{Label: "down", Asked: "lookup", Model: "medium", PromptTokens: 152, Status: 200, Milliseconds: 2, Why: "it is down"}
	assert.Equal(t, line{
		cells: []string{"down", "lookup", "-", "-", "medium", "152", "-", "200", "2.0", "-", "~"}, note: "it is down",
	}, open.line())
}

func TestRowShowsABodyThatChangedOnTheWay(t *testing.T) {
	t.Parallel()
	changed := row{Decision: "id"}
	assert.Equal(t, "✗", changed.line().cells[10])
}
