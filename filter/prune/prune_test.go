package prune_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

func replace(cfg *configv1.Prune) { cfg.LongResults = new("replace") }

func TestPrune_R3_LongResultsKeepBothEndsAndSayHowMuchIsGone(t *testing.T) {
	t.Parallel()
	head, tail := strings.Repeat("h", 1500), strings.Repeat("t", 1500)
	for name, middle := range map[string]string{
		"ASCII": strings.Repeat("m", 1001), "escapes": strings.Repeat("\n\"", 600), "two bytes": strings.Repeat("é", 1200),
		"pairs": strings.Repeat("😀", 1500), "mixed": strings.Repeat("a\t漢\"😀", 300),
	} {
		for _, api := range apis {
			text := head + middle + tail
			made, sent := plan(t, eager(), api, rounds(text, "new").body(t, api))
			assert.Equal(t, 1, made.Trimmed, name)
			assert.Zero(t, made.Replaced, name)
			count := fmt.Sprintf("%d,%03d", len([]rune(middle))/1000, len([]rune(middle))%1000)
			assert.Contains(t, string(sent), `"`+head+`\n[... `+count+` characters trimmed ...]\n`+tail+`"`, name)
		}
	}
}

func TestPrune_R3_CutsSplitNeitherCharactersNorEscapes(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"é", "漢", "😀", "\n", "\\", "\"", "\x01", "a\\", "\u2028"} {
		text := strings.Repeat(unit, 5000)
		_, sent := plan(t, eager(), conversation.OpenAIChat, rounds(text, "new").body(t, conversation.OpenAIChat))
		result := contents(t, sent)[0]
		units := []rune(result)
		ends := []rune(text)
		assert.Equal(t, string(ends[:1500]), string(units[:1500]), "%q", unit)
		assert.Equal(t, string(ends[len(ends)-1500:]), string(units[len(units)-1500:]), "%q", unit)
	}
}

func TestPrune_R3_EscapedPairsOfSurrogatesAreOneCharacter(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(`😀`, 2000) + strings.Repeat(`\ud83d`, 2001)
	body := `{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":""}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"` + text + `"},` +
		`{"role":"assistant","tool_calls":[{"id":"2","function":{"name":"f","arguments":""}}]},{"role":"tool","tool_call_id":"2","content":"new"}]}`
	_, sent := plan(t, eager(), conversation.OpenAIChat, []byte(body))
	assert.Contains(t, string(sent), `"`+strings.Repeat(`😀`, 1500)+`\n[... 1,001 characters trimmed ...]\n`+strings.Repeat(`\ud83d`, 1500)+`"`)
}

func TestPrune_R3_ShortResultsStayWhereAPlaceholderIsNoShorter(t *testing.T) {
	t.Parallel()
	for _, api := range apis {
		for length := range 120 {
			body := rounds(strings.Repeat("x", length), "new").body(t, api)
			made, sent := plan(t, eager(replace), api, body)
			require.LessOrEqual(t, len(sent), len(body))
			require.Equal(t, len(sent) < len(body), made.Saved > 0, "%d", length)
		}
	}
}

func TestPrune_R5_AnImageIsPrunedAsTextIs(t *testing.T) {
	t.Parallel()
	for _, api := range apis {
		c := rounds("", "new")
		c[1].results[0].parts = []part{{kind: "image"}, {kind: "document"}, {text: "a picture"}}
		body := c.body(t, api)
		made, sent := plan(t, eager(), api, body)
		assert.Equal(t, 1, made.Replaced, api)
		assert.Equal(t, 1, made.Images)
		assert.Equal(t, 1, made.Documents)
		assert.Greater(t, made.Saved, 3000, "media count by their size or a flat figure, not as text")
		assert.NotContains(t, string(sent), pixels)
		req, err := conversation.Read(api, body)
		require.NoError(t, err)
		left, err := conversation.Read(api, sent)
		require.NoError(t, err)
		assert.Equal(t, left.Needs, req.NeedsWithout(made.Images, made.Documents), "what is needed is what is left")
		assert.Equal(t, conversation.Capabilities(0), left.Needs&(conversation.Vision|conversation.Documents))
	}
}

func TestPrune_R8_MessagesAreReplacedOrTrimmedAndNeverRemoved(t *testing.T) {
	t.Parallel()
	for _, api := range apis {
		body := rounds(strings.Repeat("short ", 100), strings.Repeat("long ", 1000), "new").body(t, api)
		made, sent := plan(t, eager(), api, body)
		assert.Equal(t, []int{1, 1}, []int{made.Replaced, made.Trimmed}, api)
		assert.Contains(t, string(sent), "[bash result replaced, 600 chars]")
		assert.Contains(t, string(sent), "[... 2,000 characters trimmed ...]")
		before, err := conversation.Read(api, body)
		require.NoError(t, err)
		after, err := conversation.Read(api, sent)
		require.NoError(t, err)
		assert.Len(t, after.Turns, len(before.Turns))
		assert.Equal(t, before.ToolResults(), after.ToolResults())
	}
}

func TestPrune_R10_TheNewestRoundsAreKeptWithoutAnyHumanTurn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line of output\n", 100)
	for _, api := range apis {
		for keep := 1; keep <= 4; keep++ {
			c := rounds(long, long, long, long)[1:] // no human turn
			p := eager(replace, func(cfg *configv1.Prune) { cfg.KeepLastRounds = new(int32(keep)) })
			made, _ := plan(t, p, api, c.body(t, api))
			assert.Equal(t, 4-keep, made.Replaced, "%s keeps %d", api, keep)
		}
	}
}

func TestPrune_R10_ParallelCallsAreOneRound(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line of output\n", 100)
	three := []toolResult{{tool: "a", text: long}, {tool: "b", text: long}, {tool: "c", text: long}}
	for _, api := range apis {
		c := talk{{human: "go"}, {says: "1", results: three}, {says: "2", results: three}}
		made, sent := plan(t, eager(replace), api, c.body(t, api))
		assert.Equal(t, 3, made.Replaced, api)
		for _, tool := range []string{"a", "b", "c"} {
			assert.Contains(t, string(sent), "["+tool+" result replaced, 1,500 chars]", "each is named by its own call")
		}
	}
}

func TestPrune_R11_StructureSurvives(t *testing.T) {
	t.Parallel()
	c := rounds("", "new")
	c[1].results[0] = toolResult{tool: "look", isError: true, parts: []part{
		{text: strings.Repeat("first ", 200)}, {kind: "image", marked: true}, {text: strings.Repeat("second ", 200), marked: true},
	}}
	_, sent := plan(t, eager(replace), conversation.AnthropicMessages, c.body(t, conversation.AnthropicMessages))
	assert.Contains(t, string(sent), `{"type":"tool_result","tool_use_id":"call_1_0","content":[`+
		`{"type":"text","text":"[look result replaced, 2,600 chars]"},`+
		`{"type":"text","text":"[image replaced]","cache_control":{"type":"ephemeral"}},`+
		`{"type":"text","text":"[replaced]","cache_control":{"type":"ephemeral"}}],"x_own":1,"is_error":true}`)
}

func TestPrune_R11_BlocksOfALongResultAreTrimmedAsOneText(t *testing.T) {
	t.Parallel()
	c := rounds("", "new")
	c[1].results[0].parts = []part{
		{text: strings.Repeat("a", 1000)},
		{text: strings.Repeat("b", 1000)},
		{text: strings.Repeat("c", 1000)},
		{text: strings.Repeat("d", 1000)},
		{text: strings.Repeat("e", 1000)},
	}
	for _, api := range apis {
		made, sent := plan(t, eager(), api, c.body(t, api))
		assert.Equal(t, 1, made.Trimmed)
		for _, kept := range []string{
			strings.Repeat("a", 1000), strings.Repeat("b", 500) + `\n[... 500 characters trimmed ...]\n`,
			`"\n[... 1,000 characters trimmed ...]\n"`, `\n[... 500 characters trimmed ...]\n` + strings.Repeat("d", 500), strings.Repeat("e", 1000),
		} {
			assert.Contains(t, string(sent), kept, api)
		}
	}
}

func TestPrune_ToolsAndErrorsThatAreExceptedAreKept(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line of output\n", 100)
	c := talk{
		{human: "go"},
		{says: "1", results: []toolResult{{tool: "keep", text: long}, {tool: "drop", text: long}, {tool: "failed", text: long, isError: true}}},
		{says: "2", results: []toolResult{{tool: "drop", text: "new"}}},
	}
	p := eager(replace, func(cfg *configv1.Prune) { cfg.ExcludeTools, cfg.KeepErrors = []string{"keep"}, new(true) })
	made, sent := plan(t, p, conversation.AnthropicMessages, c.body(t, conversation.AnthropicMessages))
	assert.Equal(t, 1, made.Replaced)
	assert.Contains(t, string(sent), "[drop result replaced, 1,500 chars]")
}

func TestPrune_AResultThatLoadsToolsIsKept(t *testing.T) {
	t.Parallel()
	body := `{"model":"m","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"find","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"` + strings.Repeat("x", 900) + `"},{"type":"tool_reference","tool_name":"t"}]}]},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"2","name":"find","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"2","content":"new"}]}]}`
	made, _ := plan(t, eager(replace), conversation.AnthropicMessages, []byte(body))
	assert.Empty(t, made.Edits)
}

func TestPrune_WhatTheProviderPrunesOrHoldsIsLeftAlone(t *testing.T) {
	t.Parallel()
	old := rounds(strings.Repeat("line of output\n", 100), "new")
	for member, pruned := range map[string]bool{
		`"context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]}`:                            false,
		`"context_management":{"edits":[{"type":"clear_thinking_20251015"},{"type":"compact_20260112"}]}`: false,
		`"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]}`:                true,
		`"context_management":{"edits":[]}`:                                                               true,
		`"context_management":null`:                                                                       true,
	} {
		body := strings.Replace(string(old.body(t, conversation.AnthropicMessages)), "{", "{"+member+",", 1)
		made, _ := plan(t, eager(replace), conversation.AnthropicMessages, []byte(body))
		assert.Equal(t, pruned, made.Replaced > 0, member)
	}
	for member, pruned := range map[string]bool{
		`"context_management":[{"type":"compaction"}]`: false,
		`"previous_response_id":"resp_1"`:              false,
		`"truncation":"auto"`:                          true,
	} {
		body := strings.Replace(string(old.body(t, conversation.OpenAIResponses)), "{", "{"+member+",", 1)
		made, _ := plan(t, eager(replace), conversation.OpenAIResponses, []byte(body))
		assert.Equal(t, pruned, made.Replaced > 0, member)
	}
}

func TestPrune_OtherOutputsOfResponsesAreKept(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line of output ", 100)
	body := `{"model":"m","input":[{"type":"local_shell_call","call_id":"1"},{"type":"local_shell_call_output","call_id":"1","output":"` + long + `"},` +
		`{"type":"custom_tool_call","call_id":"2","name":"run","input":"x"},{"type":"custom_tool_call_output","call_id":"2","output":"` + long + `"},` +
		`{"type":"function_call","call_id":"3","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"3","output":"new"}]}`
	made, sent := plan(t, eager(replace), conversation.OpenAIResponses, []byte(body))
	assert.Equal(t, 1, made.Replaced)
	assert.Contains(t, string(sent), "[run result replaced, 1,500 chars]")
	assert.Contains(t, string(sent), long)
}
