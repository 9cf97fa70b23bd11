package selection_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/selection"
)

// threeModels is a small catalogue: a cheap model that can little, one in the
// middle, and a dear one of another family that can everything.
const threeModels = `
default_model: medium
default_model_by_api: {anthropic_messages: large}
virtual_models:
  - {name: auto}
  - {name: fast, max_tier: medium}
  - {name: deep, min_tier: complex}
  - {name: cheap, models: [medium, small]}
  - {name: trial, aliases: ["large-*", "gpt-?"], mode: shadow}
  - {name: catch-all, aliases: ["gpt-*"]}
models:
  - name: small
    upstream_model: small-2026
    cluster: provider-a
    family: a
    apis: [openai_chat_completions, openai_responses]
    tier: simple
    context_window: 128000
    max_output_tokens: 16384
    capabilities: [tools, json_schema]
    tool_proficiency: 0.6
    price: {input: 0.10, output: 0.40}
  - name: medium
    upstream_model: medium-2026
    cluster: provider-a
    family: a
    apis: [openai_chat_completions, openai_responses]
    tier: medium
    context_window: 200000
    max_output_tokens: 32768
    capabilities: [tools, json_schema, vision]
    tool_proficiency: 0.9
    price: {input: 0.60, output: 2.40}
  - name: large
    upstream_model: large-2026
    cluster: provider-b
    family: b
    apis: [openai_chat_completions, anthropic_messages]
    tier: reasoning
    context_window: 1000000
    max_output_tokens: 64000
    capabilities: [tools, json_schema, vision, documents, reasoning]
    rejects: [logprobs, "thinking.type=disabled"]
    price: {input: 3.00, output: 15.00}
`

// oneModel is a catalogue of one model, which keeps 100 tokens for the answer.
func oneModel(window int, margin string) string {
	return fmt.Sprintf(`
default_model: one
virtual_models: [{name: auto}]
models: [{name: one, upstream_model: one, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: %d, price: {input: 1, output: 1}}]
selection: {window_margin: %s, reserved_output_tokens: 100}
`, window, margin)
}

const chat = conversation.OpenAIChat

func catalogue(tb testing.TB, yaml string) *selection.Catalogue {
	tb.Helper()
	cfg, err := config.Parse("pointsman.yaml", []byte(yaml))
	require.NoError(tb, err)
	made, err := selection.New(cfg)
	require.NoError(tb, err)
	return made
}

func resolve(tb testing.TB, c *selection.Catalogue, name string) selection.Target {
	tb.Helper()
	target, err := c.Resolve(name, chat)
	require.NoError(tb, err)
	return target
}

// simpleWork fits every model of threeModels.
func simpleWork() selection.Work {
	return selection.Work{API: chat, Tier: decision.Simple, PromptTokens: 1000, Parameter: parameters(nil)}
}

func parameters(values map[string]string) func(string) (string, bool) {
	return func(path string) (string, bool) {
		value, present := values[path]
		return value, present
	}
}

func refusalOf(tb testing.TB, err error) *selection.RefusedError {
	tb.Helper()
	refusal, ok := errors.AsType[*selection.RefusedError](err)
	require.True(tb, ok, "not a refusal: %v", err)
	return refusal
}

// reasons are a result's candidates as a reader sees them: the model's name
// with its reason, which is empty where the model is in.
func reasons(result selection.Result) map[string]string {
	why := make(map[string]string, len(result.Candidates))
	for _, candidate := range result.Candidates {
		why[candidate.GetModel()] = candidate.GetReason()
	}
	return why
}
