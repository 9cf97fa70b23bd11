package selection_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/selection"
)

func TestResolveLooksUpNamesInTheDocumentedOrder(t *testing.T) {
	t.Parallel()
	const yaml = `
default_model: one
default_model_by_api: {openai_chat_completions: two}
virtual_models:
  - {name: first, aliases: ["*-auto", "two*"]}
  - {name: second, aliases: ["x-*", "three"]}
  - {name: x-named}
models:
  - {name: one, upstream_model: shared, cluster: c, apis: [openai_responses], tier: simple, context_window: 10000, price: {input: 1, output: 1}}
  - {name: two, upstream_model: shared, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 10000, price: {input: 1, output: 1}}
  - {name: three, upstream_model: up-3, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 10000, price: {input: 1, output: 1}}
  - {name: four, upstream_model: up-4, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 10000, price: {input: 1, output: 1}}
`
	tests := []struct{ requested, virtual, pinned, why string }{
		{"first", "first", "", "a virtual model's name"},
		{"x-named", "x-named", "", "a name comes before another's alias"},
		{"x-auto", "first", "", "of two aliases the first in configuration order"},
		{"x-y", "second", "", "an alias"},
		{"two", "first", "", "an alias comes before the catalogue"},
		{"three", "second", "", "an alias without a star"},
		{"four", "", "four", "a catalogue model's name"},
		{"up-4", "", "four", "an upstream model"},
		{"shared", "", "two", "of two with this upstream model the one that speaks the API"},
	}
	c := catalogue(t, yaml)
	for _, test := range tests {
		t.Run(test.why, func(t *testing.T) {
			t.Parallel()
			target, err := c.Resolve(test.requested, chat)
			require.NoError(t, err)
			if test.virtual != "" {
				require.NotNil(t, target.Virtual)
				assert.Equal(t, test.virtual, target.Virtual.Name)
				assert.Nil(t, target.Pinned)
				return
			}
			assert.Nil(t, target.Virtual)
			assert.Equal(t, test.pinned, target.Pinned.GetName())
		})
	}
}

func TestResolveRefusesAPinnedModelThatDoesNotSpeakTheAPIAndSaysWhichItSpeaks(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	for _, name := range []string{"small", "small-2026"} {
		_, err := c.Resolve(name, conversation.AnthropicMessages)
		refusal := refusalOf(t, err)
		assert.Equal(t, selection.KindAPI, refusal.Kind)
		assert.Equal(t, "small", refusal.Model)
		require.EqualError(t, refusal, `model "`+name+`" does not speak anthropic_messages: it speaks openai_chat_completions, openai_responses`)
	}
}

func TestResolveNamesTheAPIsOfAllModelsThatAnUpstreamModelMeans(t *testing.T) {
	t.Parallel()
	c := catalogue(t, `
default_model: two
models:
  - {name: one, upstream_model: shared, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 10000, price: {input: 1, output: 1}}
  - {name: two, upstream_model: shared, cluster: d, apis: [openai_chat_completions, openai_responses], tier: simple, context_window: 10000, price: {input: 1, output: 1}}
`)
	_, err := c.Resolve("shared", conversation.AnthropicMessages)
	assert.EqualError(t, err, `model "shared" does not speak anthropic_messages: it speaks openai_chat_completions, openai_responses`)
}

func TestResolveRefusesAnUnknownNameAndSaysWhatToAskFor(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	tests := map[string]string{
		"nobody":                   `unknown model "nobody": ask for auto, fast, deep, cheap, trial or for a model of the catalogue`,
		"":                         `unknown model "": ask for auto, fast, deep, cheap, trial or for a model of the catalogue`,
		"Auto":                     `unknown model "Auto": ask for auto, fast, deep, cheap, trial or for a model of the catalogue`,
		"a\"\n\x00":                `unknown model "a\"\n\x00": ask for auto, fast, deep, cheap, trial or for a model of the catalogue`,
		strings.Repeat("é", 1<<20): `unknown model "` + strings.Repeat("é", 50) + `"…: ask for auto, fast, deep, cheap, trial or for a model of the catalogue`,
	}
	for requested, want := range tests {
		_, err := c.Resolve(requested, chat)
		refusal := refusalOf(t, err)
		assert.Equal(t, selection.KindUnknownModel, refusal.Kind)
		require.EqualError(t, refusal, want)
	}
}

func TestResolveWithoutVirtualModelsNamesNone(t *testing.T) {
	t.Parallel()
	c := catalogue(t, `
default_model: one
models: [{name: one, upstream_model: one, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 10000, price: {input: 1, output: 1}}]
`)
	_, err := c.Resolve("auto", chat)
	require.EqualError(t, err, `unknown model "auto"`)
}

func TestAskedFindsTheModelOfAShadowedRequest(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	for _, requested := range []string{"large", "large-2026"} {
		model, err := c.Asked(resolve(t, c, "trial").Virtual, requested, chat)
		require.NoError(t, err)
		assert.Equal(t, "large", model.GetName())
	}
}

func TestAskedRefusesWhatShadowModeCannotSend(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	trial := resolve(t, c, "large-2026").Virtual

	_, err := c.Asked(trial, "large-9", chat)
	assert.Equal(t, selection.KindShadow, refusalOf(t, err).Kind)
	require.EqualError(t, err, `virtual model trial is in shadow mode, where a request goes to the model that it asks for, `+
		`and "large-9" is no model of the catalogue`)

	_, err = c.Asked(trial, "large-2026", conversation.OpenAIResponses)
	assert.Equal(t, selection.KindAPI, refusalOf(t, err).Kind)
	require.EqualError(t, err, `model "large-2026" does not speak openai_responses: it speaks openai_chat_completions, anthropic_messages`)
}

func TestListModelsShowsTheVirtualModelsInOrder(t *testing.T) {
	t.Parallel()
	listed := catalogue(t, threeModels).ListModels()
	names := make([]string, len(listed))
	for i, entry := range listed {
		names[i] = entry.Name
	}
	assert.Equal(t, []string{"auto", "fast", "deep", "cheap", "trial", "catch-all"}, names)
	assert.Equal(t, selection.Listed{Name: "auto", ContextWindow: 1000000, MaxOutputTokens: 64000}, listed[0])
	assert.Equal(t, selection.Listed{Name: "cheap", ContextWindow: 200000, MaxOutputTokens: 32768}, listed[3])
}

func TestListModelsShowsNoOutputLimitWhereACandidateHasNone(t *testing.T) {
	t.Parallel()
	listed := catalogue(t, `
default_model: one
virtual_models: [{name: auto}]
models:
  - {name: one, upstream_model: one, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 10000, price: {input: 1, output: 1}}
  - {name: two, upstream_model: two, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 10000, max_output_tokens: 7, price: {input: 1, output: 1}}
`).ListModels()
	assert.Equal(t, []selection.Listed{{Name: "auto", ContextWindow: 10000}}, listed)
}
