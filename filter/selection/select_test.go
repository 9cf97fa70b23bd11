package selection_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/selection"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

func TestSelectTakesTheCheapestModelOfASufficientTier(t *testing.T) {
	t.Parallel()
	tests := []struct {
		virtual  string
		tier     decision.Tier
		want     string
		required decision.Tier
	}{
		{"auto", decision.Simple, "small", decision.Simple},
		{"auto", decision.Medium, "medium", decision.Medium},
		{"auto", decision.Complex, "large", decision.Complex},
		{"auto", decision.Reasoning, "large", decision.Reasoning},
		{"fast", decision.Reasoning, "medium", decision.Medium},
		{"fast", decision.Simple, "small", decision.Simple},
		{"deep", decision.Simple, "large", decision.Complex},
		{"deep", decision.Reasoning, "large", decision.Reasoning},
		{"cheap", decision.Simple, "small", decision.Simple},
	}
	c := catalogue(t, threeModels)
	for _, test := range tests {
		t.Run(test.virtual+" "+test.tier.String(), func(t *testing.T) {
			t.Parallel()
			work := simpleWork()
			work.Tier = test.tier
			result, err := c.Select(resolve(t, c, test.virtual), work)
			require.NoError(t, err)
			assert.Equal(t, test.want, result.Model.GetName())
			assert.Equal(t, test.required, result.Required)
		})
	}
}

func TestSelectExplainsEveryCandidateInConfigurationOrder(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	work := simpleWork()
	work.Tier = decision.Medium
	work.PromptTokens = 10_000
	work.RequestedOutput = 500
	result, err := c.Select(resolve(t, c, "auto"), work)
	require.NoError(t, err)
	want := []*routerv1.Candidate{
		{Model: "small", Reason: "tier simple is below medium"},
		{Model: "medium", Cost: (10_000*0.60 + 500*2.40) / 1e6},
		{Model: "large", Cost: (10_000*3.00 + 500*15.00) / 1e6},
	}
	assert.Empty(t, cmp.Diff(want, result.Candidates, protocmp.Transform()))
	assert.InDelta(t, 0.0072, result.Cost, 1e-12)
}

// A virtual model's `models` restricts the candidates; preference among them is
// the catalogue's.
func TestSelectConsidersOnlyTheVirtualModelsOwnCandidates(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	result, err := c.Select(resolve(t, c, "cheap"), simpleWork())
	require.NoError(t, err)
	require.Len(t, result.Candidates, 2)
	assert.Equal(t, "small", result.Candidates[0].GetModel())
	assert.Equal(t, "medium", result.Candidates[1].GetModel())
}

// R4: selection sees the pruned request.
func TestSelect_R4_PrunedTokensOpenACheapWindow(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	work := simpleWork()

	work.PromptTokens = 180_000 // as it came
	whole, err := c.Select(resolve(t, c, "auto"), work)
	require.NoError(t, err)
	assert.Equal(t, "medium", whole.Model.GetName())

	work.PromptTokens = 90_000 // pruned
	pruned, err := c.Select(resolve(t, c, "auto"), work)
	require.NoError(t, err)
	assert.Equal(t, "small", pruned.Model.GetName())
	assert.Less(t, pruned.Cost, whole.Cost)
}

func TestSelectAppliesEveryHardFilter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*selection.Work)
		want   map[string]string // reasons; empty: in
	}{
		{
			"API", func(w *selection.Work) { w.API = conversation.AnthropicMessages },
			map[string]string{"small": "does not speak anthropic_messages", "medium": "does not speak anthropic_messages", "large": ""},
		},
		{
			"family", func(w *selection.Work) { w.Needs = conversation.Sealed },
			map[string]string{"small": "", "medium": "", "large": "family b cannot read family a's sealed reasoning"},
		},
		{
			"vision", func(w *selection.Work) { w.Needs = conversation.Vision },
			map[string]string{"small": "no vision", "medium": "", "large": ""},
		},
		{
			"documents", func(w *selection.Work) { w.Needs = conversation.Documents | conversation.Vision },
			map[string]string{"small": "no vision, no documents", "medium": "no documents", "large": ""},
		},
		{
			"rejected parameter", func(w *selection.Work) { w.Parameter = parameters(map[string]string{"logprobs": "true"}) },
			map[string]string{"small": "", "medium": "", "large": "rejects logprobs"},
		},
		{
			"rejected value", func(w *selection.Work) { w.Parameter = parameters(map[string]string{"thinking.type": "disabled"}) },
			map[string]string{"small": "", "medium": "", "large": "rejects thinking.type=disabled"},
		},
		{
			"another value", func(w *selection.Work) { w.Parameter = parameters(map[string]string{"thinking.type": "enabled"}) },
			map[string]string{"small": "", "medium": "", "large": ""},
		},
		{
			"requested output at the limit", func(w *selection.Work) { w.RequestedOutput = 32_768 },
			map[string]string{"small": "output limit: asks for 32,768 tokens of 16,384", "medium": "", "large": ""},
		},
		{
			"requested output", func(w *selection.Work) { w.RequestedOutput = 32_769 },
			map[string]string{
				"small":  "output limit: asks for 32,769 tokens of 16,384",
				"medium": "output limit: asks for 32,769 tokens of 32,768", "large": "",
			},
		},
		{
			"window", func(w *selection.Work) { w.PromptTokens = 120_930 },
			map[string]string{"small": "context window: needs 131,073 tokens of 128,000", "medium": "", "large": ""},
		},
	}
	c := catalogue(t, threeModels)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			work := simpleWork()
			test.change(&work)
			result, err := c.Select(resolve(t, c, "auto"), work)
			require.NoError(t, err)
			assert.Equal(t, test.want, reasons(result))
			for _, candidate := range result.Candidates {
				assert.Equal(t, candidate.GetReason() != "", candidate.GetCost() == 0, "%v", candidate)
			}
		})
	}
}

// capabilityModels are alike but for one capability each.
const capabilityModels = `
default_model: bare
virtual_models: [{name: auto}]
models:
  - {name: bare, upstream_model: bare, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 1000000, price: {input: 1, output: 1}}
  - {name: tools, upstream_model: tools, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 1000000, capabilities: [tools], price: {input: 1, output: 1}}
  - {name: vision, upstream_model: vision, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 1000000, capabilities: [vision], price: {input: 1, output: 1}}
  - {name: documents, upstream_model: documents, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 1000000, capabilities: [documents], price: {input: 1, output: 1}}
  - {name: json_schema, upstream_model: json_schema, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 1000000, capabilities: [json_schema], price: {input: 1, output: 1}}
`

func TestSelectRequiresEachCapability(t *testing.T) {
	t.Parallel()
	c := catalogue(t, capabilityModels)
	for _, need := range []conversation.Capabilities{conversation.Tools, conversation.Vision, conversation.Documents, conversation.JSONSchema} {
		name := need.Names()[0]
		work := simpleWork()
		work.Needs = need
		result, err := c.Select(resolve(t, c, "auto"), work)
		require.NoError(t, err)
		assert.Equal(t, name, result.Model.GetName())
		assert.Equal(t, "no "+name, reasons(result)["bare"])
	}
}

func TestSelectSendsToolsOnlyToModelsThatAreGoodAtThem(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels+"selection: {min_tool_proficiency: 0.8}\n")
	work := simpleWork()
	without, err := c.Select(resolve(t, c, "auto"), work)
	require.NoError(t, err)
	assert.Equal(t, "small", without.Model.GetName(), "a request without tools does not care")

	work.Needs = conversation.Tools
	with, err := c.Select(resolve(t, c, "auto"), work)
	require.NoError(t, err)
	assert.Equal(t, "medium", with.Model.GetName())
	assert.Equal(t, "tool proficiency 0.6 is below 0.8", reasons(with)["small"])

	pinned, err := c.Select(resolve(t, c, "small"), work)
	require.NoError(t, err, "who pins a model has chosen its proficiency")
	assert.Equal(t, "small", pinned.Model.GetName())
}

func TestSelectSendsSealedReasoningToTheFamilyOfTheAPIsDefaultModel(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	work := simpleWork()
	work.Needs = conversation.Sealed
	work.Tier = decision.Reasoning
	result, err := c.Select(resolve(t, c, "auto"), work)
	require.NoError(t, err)
	assert.Equal(t, "medium", result.Model.GetName(), "the family comes before the tier")

	work.API = conversation.AnthropicMessages
	result, err = c.Select(resolve(t, c, "auto"), work)
	require.NoError(t, err)
	assert.Equal(t, "large", result.Model.GetName())

	work.API = chat
	pinned, err := c.Select(resolve(t, c, "large"), work)
	require.NoError(t, err, "a pinned model reads what it wrote itself")
	assert.Equal(t, "large", pinned.Model.GetName())
}

func TestSelectFallsBackToTheHighestTierAndNeverFailsForTheTier(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	work := simpleWork()
	work.Tier = decision.Reasoning
	work.Parameter = parameters(map[string]string{"logprobs": "true"}) // large is out
	result, err := c.Select(resolve(t, c, "auto"), work)
	require.NoError(t, err)
	assert.Equal(t, "medium", result.Model.GetName())
	assert.Equal(t, decision.Reasoning, result.Required)
	assert.Equal(t, map[string]string{"small": "tier simple is below reasoning", "medium": "", "large": "rejects logprobs"}, reasons(result))

	result, err = c.Select(resolve(t, c, "cheap"), work)
	require.NoError(t, err)
	assert.Equal(t, "medium", result.Model.GetName())
}

func TestSelectReckonsTheWindowExactly(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name                   string
		margin                 string
		prompt, output, window int
		largestPrompt          int // -1: the prompt fits
	}{
		{"margin and reserve fill it", "0.05", 1000, 0, 1150, -1},
		{"one token more of prompt", "0.05", 1001, 0, 1150, 1000},
		{"a requested output replaces the reserve", "0.05", 1000, 10, 1060, -1},
		{"one token more of output", "0.05", 1000, 11, 1060, 999},
		{"a margin that floating point takes for more", "0.1", 100, 0, 210, -1},
		{"a margin is rounded up", "0.05", 1, 0, 101, 0},
		{"no margin", "0", 1000, 0, 1100, -1},
		{"an output of the whole window", "0.05", 1, 1100, 1100, 0},
		{"an output of more than the window", "0.05", 1, 2000, 1100, 0},
		{"an empty prompt", "0.05", 0, 100, 101, -1},
		{"more than 32 bits", "1", 1 << 62, 0, 2147483647, 1073741773},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := catalogue(t, oneModel(test.window, test.margin))
			work := simpleWork()
			work.PromptTokens, work.RequestedOutput = test.prompt, test.output
			_, err := c.Select(resolve(t, c, "auto"), work)
			if test.largestPrompt < 0 {
				require.NoError(t, err)
				return
			}
			refusal := refusalOf(t, err)
			assert.Equal(t, selection.KindWindow, refusal.Kind)
			assert.Equal(t, test.largestPrompt, refusal.Maximum)
			assert.Equal(t, min(test.prompt, math.MaxInt32), refusal.Tokens)
			assert.Greater(t, refusal.Tokens, refusal.Maximum)
		})
	}
}

func TestSelectExpectsNoMoreAnswerThanTheClientAskedFor(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	for requested, tokens := range map[int]float64{0: 800, 100: 100, 800: 800, 16_000: 800} {
		work := simpleWork()
		work.PromptTokens = 0
		work.RequestedOutput = requested
		result, err := c.Select(resolve(t, c, "auto"), work)
		require.NoError(t, err)
		assert.InDelta(t, tokens*0.40/1e6, result.Cost, 1e-15, "%d", requested)
	}
}

func TestSelectBreaksTiesByConfigurationOrder(t *testing.T) {
	t.Parallel()
	c := catalogue(t, `
default_model: last
virtual_models: [{name: auto, models: [last, first, dear]}]
models:
  - {name: dear, upstream_model: dear, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 10000, price: {input: 2, output: 2}}
  - {name: first, upstream_model: first, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 10000, price: {input: 1, output: 1}}
  - {name: last, upstream_model: last, cluster: c, apis: [openai_chat_completions], tier: reasoning, context_window: 10000, price: {input: 1, output: 1}}
`)
	result, err := c.Select(resolve(t, c, "auto"), simpleWork())
	require.NoError(t, err)
	assert.Equal(t, "first", result.Model.GetName())
}

func TestSelectTakesAPinnedModelAsTheOnlyCandidate(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	work := simpleWork()
	work.Tier = decision.NoTier
	result, err := c.Select(resolve(t, c, "small-2026"), work)
	require.NoError(t, err)
	assert.Equal(t, "small", result.Model.GetName())
	assert.Equal(t, decision.NoTier, result.Required)
	assert.Equal(t, map[string]string{"small": ""}, reasons(result))
}

func TestSelectWithoutParametersRejectsNothing(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	work := simpleWork()
	work.Parameter = nil
	_, err := c.Select(resolve(t, c, "large"), work)
	assert.NoError(t, err)
}

func TestSelectGoesOnlyWhereStateIsHeld(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels+"clusters: [{name: provider-a, address: 'a:1'}, {name: provider-b, address: 'b:1', holds_state: true}]\n")
	work := simpleWork()
	work.HeldState = "previous_response_id"
	result, err := c.Select(resolve(t, c, "auto"), work)
	require.NoError(t, err)
	assert.Equal(t, "large", result.Model.GetName())
	assert.Equal(t, map[string]string{
		"small":  "cluster provider-a is not marked holds_state, which previous_response_id needs",
		"medium": "cluster provider-a is not marked holds_state, which previous_response_id needs",
		"large":  "",
	}, reasons(result))
}

func TestSelectJudgesNoWindowWhereThePromptDoesNotTell(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	work := simpleWork()
	work.PromptTokens = 50_000_000
	_, err := c.Select(resolve(t, c, "auto"), work)
	assert.Equal(t, selection.KindWindow, refusalOf(t, err).Kind)
	work.AnyWindow = true
	result, err := c.Select(resolve(t, c, "auto"), work)
	require.NoError(t, err)
	assert.Equal(t, "small", result.Model.GetName())
}
