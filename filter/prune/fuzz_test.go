package prune_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

// FuzzPlan holds plans of any body that can be read to what never depends on the
// policy: edits stand within tool results, in order, and make the body shorter,
// and what they make can be read again and has no more to prune.
func FuzzPlan(f *testing.F) {
	for seed := range uint64(12) {
		c := generated(seed)
		for _, api := range apis {
			f.Add(c[:min(len(c), 6)].body(f, api), uint8(seed))
		}
	}
	f.Add([]byte(`{"messages":[{"role":"tool","content":"\ud83d\ude00"},{"role":"assistant"},{"content":[{"type":"text","text":""}],"role":"tool"}]}`), uint8(0))
	f.Add([]byte(`{"messages":[{"role":"tool","content":[{"type":"tool_result","content":"`+strings.Repeat("x ", 50)+`"}]},{"role":"assistant"},{"role":"tool","content":"a"}],"system":[{"type":"tool_result","content":"`+strings.Repeat("y ", 50)+`"}]}`), uint8(0))
	named := policies()
	names := []string{"eager", "trimming", "shipped", "budget"}
	f.Fuzz(func(t *testing.T, body []byte, choice uint8) {
		p := named[names[int(choice)%len(names)]]
		for _, api := range apis {
			req, err := conversation.Read(api, body)
			if err != nil {
				continue
			}
			made := p.Plan(req)
			results := resultsOf(req)
			end := 0
			for _, edit := range made.Edits {
				require.GreaterOrEqual(t, edit.Span.Start, end)
				require.Less(t, len(edit.With), edit.Span.Len())
				require.True(t, within(results, edit.Span), "%v is in no tool result", edit.Span)
				end = edit.Span.End
			}
			sent := conversation.Apply(body, made.Edits)
			again, err := conversation.Read(api, sent)
			require.NoError(t, err, "%s", sent)
			require.Len(t, again.Turns, len(req.Turns))
			require.LessOrEqual(t, again.Tokens, req.Tokens)
			require.GreaterOrEqual(t, made.Saved, 0)
			require.Equal(t, made, p.Plan(req), "a plan is a function of the request")
		}
	})
}

// resultsOf are the results that may be pruned: those of users and tools.
func resultsOf(req *conversation.Request) (spans []conversation.Span) {
	for _, turn := range req.Turns {
		if turn.Role != conversation.User && turn.Role != conversation.Tool {
			continue
		}
		for _, block := range req.Blocks(turn) {
			if block.Kind == conversation.ToolResult {
				spans = append(spans, block.Span)
			}
		}
	}
	return spans
}

func within(spans []conversation.Span, inner conversation.Span) bool {
	for _, span := range spans {
		if span.Start <= inner.Start && inner.End <= span.End {
			return true
		}
	}
	return false
}
