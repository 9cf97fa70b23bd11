package selection_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/selection"
)

func TestSelectRefusesWithTheFilterAndTheNearestModel(t *testing.T) {
	t.Parallel()
	logprobs := parameters(map[string]string{"logprobs": "false"})
	tests := []struct {
		name    string
		asked   string
		change  func(*selection.Work)
		kind    selection.Kind
		nearest string
		tokens  int
		maximum int
		want    string
	}{
		{
			"API", "cheap", func(w *selection.Work) { w.API = conversation.AnthropicMessages },
			selection.KindAPI, "small", 0, 0,
			"no model of cheap can take this request: none speaks anthropic_messages",
		},
		{
			"family", "auto", func(w *selection.Work) {
				w.API, w.Needs = conversation.OpenAIResponses, conversation.Sealed|conversation.Documents
			},
			selection.KindCapability, "small", 0, 0,
			"no model of auto can take this request: capabilities: nearest is small: no documents; other models are out by API",
		},
		{
			"held state", "auto", func(w *selection.Work) { w.HeldState = "previous_response_id" },
			selection.KindState, "small", 0, 0,
			"no model of auto can take this request: previous_response_id refers to a part of the conversation that a provider holds, " +
				"and none of them is on a cluster marked holds_state: send the whole conversation",
		},
		{
			"pinned held state", "small", func(w *selection.Work) { w.HeldState = "conversation" },
			selection.KindState, "small", 0, 0,
			"model small cannot take this request: cluster provider-a is not marked holds_state, which conversation needs",
		},
		{
			"capabilities", "cheap", func(w *selection.Work) { w.Needs = conversation.Vision | conversation.Documents },
			selection.KindCapability, "medium", 0, 0,
			"no model of cheap can take this request: capabilities: nearest is medium: no documents",
		},
		{
			"rejected parameter", "auto", func(w *selection.Work) { w.Needs, w.Parameter = conversation.Documents, logprobs },
			selection.KindRejects, "large", 0, 0,
			"no model of auto can take this request: rejected parameters: nearest is large: rejects logprobs; other models are out by capabilities",
		},
		{
			"output", "auto", func(w *selection.Work) { w.RequestedOutput = 100_000 },
			selection.KindOutput, "large", 100_000, 64_000,
			"no model of auto can take this request: output limit: asks for 100,000 tokens; largest limit: large, 64,000 tokens",
		},
		{
			"window", "auto", func(w *selection.Work) { w.PromptTokens = 1_000_000 },
			selection.KindWindow, "large", 1_000_000, 948_480,
			"no model of auto can take this request: context window: needs 1,054,096 tokens (prompt 1,000,000, margin 50,000, answer 4,096); " +
				"largest window: large, 1,000,000 tokens",
		},
		{
			"window and others", "auto", func(w *selection.Work) {
				w.PromptTokens, w.RequestedOutput, w.Needs, w.Parameter = 190_000, 10_000, conversation.Vision, logprobs
			},
			selection.KindWindow, "medium", 190_000, 180_952,
			"no model of auto can take this request: context window: needs 209,500 tokens (prompt 190,000, margin 9,500, answer 10,000); " +
				"largest window: medium, 200,000 tokens; other models are out by capabilities, rejected parameters",
		},
		{
			"pinned window", "small", func(w *selection.Work) { w.PromptTokens = 128_000 },
			selection.KindWindow, "small", 128_000, 118_003,
			"model small cannot take this request: context window: needs 138,496 tokens of 128,000",
		},
		{
			"pinned capabilities", "small-2026", func(w *selection.Work) { w.Needs = conversation.Vision },
			selection.KindCapability, "small", 0, 0,
			"model small cannot take this request: no vision",
		},
		{
			"pinned output", "small", func(w *selection.Work) { w.RequestedOutput = 20_000 },
			selection.KindOutput, "small", 20_000, 16_384,
			"model small cannot take this request: output limit: asks for 20,000 tokens of 16,384",
		},
		{
			"pinned parameter", "large", func(w *selection.Work) { w.Parameter = logprobs },
			selection.KindRejects, "large", 0, 0,
			"model large cannot take this request: rejects logprobs",
		},
	}
	c := catalogue(t, threeModels)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			work := simpleWork()
			work.Tier = decision.Medium
			test.change(&work)
			result, err := c.Select(resolve(t, c, test.asked), work)
			refusal := refusalOf(t, err)
			require.EqualError(t, refusal, test.want)
			assert.Equal(t, test.kind, refusal.Kind)
			assert.Equal(t, test.nearest, refusal.Model)
			assert.Equal(t, test.tokens, refusal.Tokens)
			assert.Equal(t, test.maximum, refusal.Maximum)
			assert.Zero(t, result)
			assert.NotEmpty(t, refusal.Candidates)
			for _, candidate := range refusal.Candidates {
				assert.NotEmpty(t, candidate.GetReason(), candidate.GetModel())
			}
		})
	}
}

func TestSelectRefusesForFamilyAndProficiencyOnlyVirtualModels(t *testing.T) {
	t.Parallel()
	c := catalogue(t, `
default_model: home
virtual_models: [{name: away, models: [weak, other]}, {name: weak-only, models: [weak, weaker]}]
models:
  - {name: home, upstream_model: home, cluster: c, family: h, apis: [openai_chat_completions], tier: simple, context_window: 10000, capabilities: [tools], price: {input: 1, output: 1}}
  - {name: other, upstream_model: other, cluster: c, family: o, apis: [openai_chat_completions], tier: simple, context_window: 10000, price: {input: 1, output: 1}}
  - {name: weaker, upstream_model: weaker, cluster: c, family: h, apis: [openai_chat_completions], tier: simple, context_window: 10000, capabilities: [tools], tool_proficiency: 0.1, price: {input: 1, output: 1}}
  - {name: weak, upstream_model: weak, cluster: c, family: w, apis: [openai_chat_completions], tier: simple, context_window: 10000, capabilities: [tools], tool_proficiency: 0.25, price: {input: 1, output: 1}}
selection: {min_tool_proficiency: 0.5}
`)
	work := simpleWork()
	work.Needs = conversation.Sealed
	_, err := c.Select(resolve(t, c, "away"), work)
	assert.Equal(t, selection.KindFamily, refusalOf(t, err).Kind)
	require.EqualError(t, err, "no model of away can take this request: family: nearest is other: family o cannot read family h's sealed reasoning")

	work.Needs = conversation.Tools
	_, err = c.Select(resolve(t, c, "weak-only"), work)
	assert.Equal(t, selection.KindProficiency, refusalOf(t, err).Kind)
	require.EqualError(t, err, "no model of weak-only can take this request: tool proficiency: nearest is weak: tool proficiency 0.25 is below 0.5")
}
