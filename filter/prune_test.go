package filter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
)

const pruning = `
prune: {enabled: true, budget_tokens: 0, keep_last_rounds: 1, long_results: replace, cached_read_ratio: 1, cache_write_ratio: 1}
`

// toolLoop is a Chat session with a human turn and so many rounds, each result
// of so many characters.
func toolLoop(model string, rounds, chars int) string {
	messages := make([]string, 1, 1+2*rounds)
	messages[0] = `{"role":"user","content":"hello"}`
	for i := range rounds {
		messages = append(messages,
			fmt.Sprintf(`{"role":"assistant","content":"","tool_calls":[{"id":"c%d","type":"function","function":{"name":"bash","arguments":"{}"}}]}`, i),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":%q}`, i, strings.Repeat("output ", chars/7)))
	}
	return fmt.Sprintf(`{"model":%q,"messages":[%s]}`, model, strings.Join(messages, ","))
}

func TestDecide_R4_ASessionThatPruningBringsUnderAWindowGoesToTheCheapModel(t *testing.T) {
	t.Parallel()
	body := toolLoop("auto", 20, 35_000) // 175,000 tokens, small's window is 128,000
	whole := post(newPipeline(t, ""), nil, body)
	assert.Equal(t, "medium", whole.Decision.GetModel())

	v := post(newPipeline(t, pruning), nil, body)
	d := v.Decision
	assert.Equal(t, "small", d.GetModel())
	assert.EqualValues(t, 19, d.GetReplaced())
	assert.Equal(t, d.GetPromptTokens()-d.GetTokensSaved(), d.GetPrunedTokens())
	assert.Equal(t, whole.Decision.GetPromptTokens(), d.GetPromptTokens())
	assert.Less(t, d.GetPrunedTokens(), int32(15_000))
	assert.Less(t, d.GetExpectedCost(), 0.003, "what is paid for is what is sent")
	assert.EqualValues(t, len(body)-len(v.Upstream())+len("small-2026")-len("auto"), d.GetBytesSaved())
	assert.Positive(t, d.GetCuts())
	assert.NotEmpty(t, d.GetStamps().GetPrunePolicy())
}

func TestDecide_R4_WhatAModelMustBeCapableOfIsJudgedAfterPruning(t *testing.T) {
	t.Parallel()
	picture := `{"role":"tool","tool_call_id":"c0","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}`
	body := strings.Replace(toolLoop("auto", 4, 9_000), `{"role":"tool","tool_call_id":"c0","content":"`+strings.Repeat("output ", 9_000/7)+`"}`, picture, 1)
	require.Contains(t, body, picture)
	assert.Equal(t, "medium", post(newPipeline(t, ""), nil, body).Decision.GetModel(), "small has no vision")
	v := post(newPipeline(t, pruning), nil, body)
	assert.Equal(t, "small", v.Decision.GetModel())
	assert.NotContains(t, v.Decision.GetRequest().GetNeeds(), "vision")
	assert.Contains(t, string(v.Upstream()), `[{"type":"text","text":"[image replaced]"}]`)
}

func TestDecidePrunesForAPinnedModelToo(t *testing.T) {
	t.Parallel()
	for model, upstream := range map[string]string{"large": "large-2026", "large-2026": "large-2026"} {
		v := post(newPipeline(t, pruning), nil, toolLoop(model, 20, 3_500))
		assert.Equal(t, decision.SourceOverride, v.Decision.GetSource())
		assert.EqualValues(t, 19, v.Decision.GetReplaced(), model)
		assert.Contains(t, string(v.Upstream()), fmt.Sprintf(`{"model":%q,"messages":[`, upstream))
		assert.Contains(t, string(v.Upstream()), "[bash result replaced, 3,500 chars]")
	}
}

// The model may stand behind the messages as well as before them.
func TestDecideKeepsEditsInTheOrderOfTheirPlaces(t *testing.T) {
	t.Parallel()
	body := toolLoop("auto", 20, 3_500)
	first := post(newPipeline(t, pruning), nil, body)
	last := post(newPipeline(t, pruning), nil, "{"+strings.TrimPrefix(strings.TrimSuffix(body, "}"), `{"model":"auto",`)+`,"model":"auto"}`)
	inner := strings.TrimSuffix(strings.TrimPrefix(string(first.Upstream()), `{"model":"small-2026",`), "}")
	assert.Equal(t, "{"+inner+`,"model":"small-2026"}`, string(last.Upstream()))
}

func TestDecideInShadowRecordsWhatPruningWouldSaveAndSendsEveryByte(t *testing.T) {
	t.Parallel()
	pipeline := pipelineWith(t, "virtual_models", pruning+`
virtual_models:
  - {name: watched, aliases: [medium-2026], mode: shadow}
`)
	body := toolLoop("medium-2026", 20, 35_000)
	v := post(pipeline, nil, body)
	require.NotNil(t, v.Decision)
	assert.Equal(t, decision.ModeShadow, v.Decision.GetMode())
	assert.Equal(t, "small", v.Decision.GetWouldSelect(), "pruned it fits")
	assert.EqualValues(t, 19, v.Decision.GetReplaced())
	assert.Positive(t, v.Decision.GetTokensSaved())
	assert.Equal(t, body, string(v.Upstream()))
}

func TestDecidePrunesACountOfTokensAsItDoesItsMessages(t *testing.T) {
	t.Parallel()
	messages := make([]string, 0, 40)
	for i := range 20 {
		messages = append(messages,
			fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"bash","input":{}}]}`, i),
			fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":%q}]}`, i, strings.Repeat("output ", 500)))
	}
	body := `{"model":"auto","max_tokens":1,"messages":[{"role":"user","content":"hi"},` + strings.Join(messages, ",") + `]}`
	pipeline := newPipeline(t, pruning)
	counted := send(pipeline, "POST", countPath, nil, body)
	sent := send(pipeline, "POST", messagesPath, nil, body)
	assert.EqualValues(t, 19, counted.Decision.GetReplaced())
	assert.Equal(t, string(sent.Upstream()), string(counted.Upstream()), "what is counted is what is sent")
}

func TestDecideLeavesAloneWhatTheProviderHoldsOrPrunes(t *testing.T) {
	t.Parallel()
	pipeline := pipelineWith(t, "clusters", pruning+`
clusters:
  - {name: provider-a, address: "127.0.0.1:1", holds_state: true}
  - {name: provider-b, address: "127.0.0.1:2"}
`)
	items := make([]string, 0, 40)
	for i := range 20 {
		items = append(items, fmt.Sprintf(`{"type":"function_call","call_id":"c%d","name":"bash","arguments":"{}"}`, i),
			fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":%q}`, i, strings.Repeat("output ", 500)))
	}
	for added, replaced := range map[string]int32{
		"": 19, `"previous_response_id":"resp_1",`: 0, `"context_management":[{"type":"compaction","compact_threshold":1000}],`: 0,
	} {
		v := send(pipeline, "POST", responsesPath, nil, `{"model":"auto",`+added+`"input":[`+strings.Join(items, ",")+`]}`)
		require.NotNil(t, v.Decision, added)
		assert.Equal(t, replaced, v.Decision.GetReplaced(), added)
	}
}

func TestDecidePrunesNothingUnlessToldTo(t *testing.T) {
	t.Parallel()
	v := post(newPipeline(t, ""), nil, toolLoop("auto", 20, 3_500))
	assert.Equal(t, []int32{0, 0, 0, 0}, []int32{v.Decision.GetReplaced(), v.Decision.GetTrimmed(), v.Decision.GetTokensSaved(), v.Decision.GetBytesSaved()})
	assert.Equal(t, toolLoop("small-2026", 20, 3_500), string(v.Upstream()))
}
