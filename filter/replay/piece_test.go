package replay

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

func apart(t *testing.T, api conversation.API, raw string) *piece {
	t.Helper()
	p, err := takeApart(api, []byte(raw))
	require.NoError(t, err)
	return p
}

func TestTakeApart_FindsTheToolResultsOfEachAPI(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		api  conversation.API
		raw  string
		want []string // id and content by turns
	}{
		{conversation.OpenAIChat, `{"content":"a","role":"tool","tool_call_id":"1"}`, []string{"1", `"a"`}},
		{conversation.OpenAIChat, `{"content":[{"type":"text","text":"a"}],"role":"tool"}`, []string{"", `[{"type":"text","text":"a"}]`}},
		{conversation.OpenAIChat, `{"content":"a","role":"function"}`, []string{"", `"a"`}},
		{conversation.OpenAIChat, `{"role":"tool","tool_call_id":"1"}`, []string{"1", ""}},
		{conversation.OpenAIChat, `{"content":"a","role":"user","tool_call_id":"1"}`, nil},
		{conversation.OpenAIResponses, `{"output":"a","type":"function_call_output","call_id":"1"}`, []string{"1", `"a"`}},
		{conversation.OpenAIResponses, `{"output":[1],"type":"custom_tool_call_output","call_id":"1"}`, []string{"1", `[1]`}},
		{conversation.OpenAIResponses, `{"output":{},"type":"computer_call_output","call_id":"1"}`, nil},
		{conversation.OpenAIResponses, `{"content":"a","role":"tool"}`, nil},
		{
			conversation.AnthropicMessages, `{"role":"user","content":[{"type":"text","text":"b"},{"content":"a","type":"tool_result",` +
				`"tool_use_id":"1"},{"type":"tool_result","tool_use_id":"2"},{"type":"tool_result","tool_use_id":"3","content":["c"]}]}`,
			[]string{"1", `"a"`, "2", "", "3", `["c"]`},
		},
		{conversation.AnthropicMessages, `{"role":"user","content":"tool_result"}`, nil},
		{conversation.AnthropicMessages, `{"role":"user"}`, nil},
	} {
		var got []string
		p := apart(t, test.api, test.raw)
		for i := range p.results {
			got = append(got, p.results[i].id, string(p.content(i)))
		}
		assert.Equal(t, test.want, got, test.raw)
		assert.True(t, sameFrame(p, p), test.raw)
	}
}

func TestSameFrame_OnlyWhatResultsHoldMayDiffer(t *testing.T) {
	t.Parallel()
	const recorded = `{"role":"user","content":[{"type":"tool_result","content":"a","x":1},{"type":"tool_result"},{"type":"tool_result","content":["b"]}]}`
	for raw, want := range map[string]bool{
		recorded: true,
		`{"role":"user","content":[{"type":"tool_result","content":"","x":1},{"type":"tool_result"},{"type":"tool_result","content":[]}]}`:           true,
		`{"role":"user","content":[{"type":"tool_result","content":"a","x":2},{"type":"tool_result"},{"type":"tool_result","content":[]}]}`:          false,
		`{"role":"user","content":[{"type":"tool_result","content":["a"],"x":1},{"type":"tool_result"},{"type":"tool_result","content":[]}]}`:        false,
		`{"role":"user","content":[{"type":"tool_result","content":"a","x":1},{"type":"tool_result"}]}`:                                              false,
		`{"role":"user","content":[{"type":"tool_result","content":"a","x":1},{"type":"tool_result","content":""},{"type":"tool_result"}]}`:          false,
		`{"role":"user","content":[{"type":"tool_result","content":"a","x":1},{"type":"tool_result"},{"type":"tool_result","content":["b"]}],"y":0}`: false,
	} {
		a, b := apart(t, conversation.AnthropicMessages, recorded), apart(t, conversation.AnthropicMessages, raw)
		assert.Equal(t, want, sameFrame(a, b), raw)
		assert.Equal(t, want, sameFrame(b, a), raw)
	}
}
