package provider_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func askingResponses(text string, tools ...string) responses.ResponseNewParams {
	params := responses.ResponseNewParams{Model: model, Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(text)}}
	for _, name := range tools {
		params.Tools = append(params.Tools, responses.ToolParamOfFunction(name, map[string]any{"type": "object"}, false))
	}
	return params
}

func TestOfficialClientReadsAResponse(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	got, err := client.Responses.New(t.Context(), askingResponses("What is the capital of France?"))
	require.NoError(t, err)
	assert.Equal(t, `small-2026 was asked "What is the capital of France?" and would answer these 6 words here.`, got.OutputText())
	assert.Equal(t, responses.ResponseStatusCompleted, got.Status)
	assert.Positive(t, got.Usage.InputTokens)
	assert.Equal(t, got.Usage.InputTokens+got.Usage.OutputTokens, got.Usage.TotalTokens)
}

func TestOfficialClientPlaysAToolLoopOfResponses(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	params := askingResponses(`Use get_weather {"city":"Paris"}`, "get_weather")
	got, err := client.Responses.New(t.Context(), params)
	require.NoError(t, err)
	require.Len(t, got.Output, 1)
	made := got.Output[0].AsFunctionCall()
	assert.Equal(t, []string{"get_weather", `{"city":"Paris"}`}, []string{made.Name, made.Arguments})

	call := responses.ResponseInputItemParamOfFunctionCall(made.Arguments, made.CallID, made.Name)
	params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: responses.ResponseInputParam{
		responses.ResponseInputItemParamOfMessage(`Use get_weather {"city":"Paris"}`, responses.EasyInputMessageRoleUser), call,
	}}
	_, err = client.Responses.New(t.Context(), params)
	failure, ok := errors.AsType[*openai.Error](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, "input: 1 tool calls have no output", failure.Message)

	output := responses.ResponseInputItemFunctionCallOutputParam{
		CallID: openai.String(made.CallID),
		Output: responses.ResponseInputItemFunctionCallOutputOutputUnionParam{OfString: openai.String("rain")},
	}
	params.Input.OfInputItemList = append(params.Input.OfInputItemList, responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &output})
	got, err = client.Responses.New(t.Context(), params)
	require.NoError(t, err)
	assert.Equal(t, `small-2026 has read 4 bytes from the tool, beginning with "rain".`, got.OutputText())
}

func TestOfficialClientReadsAStreamOfResponses(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	for text, want := range map[string]string{
		"Tell me a story":                  `small-2026 was told "Tell me a story" and would act on these 4 words here.`,
		`Use get_weather {"city":"Paris"}`: `{"city":"Paris"}`,
	} {
		stream := client.Responses.NewStreaming(t.Context(), askingResponses(text, "get_weather"))
		var pieces strings.Builder
		number := int64(0)
		var last responses.ResponseStreamEventUnion
		for stream.Next() {
			last = stream.Current()
			assert.Equal(t, number, last.SequenceNumber)
			number++
			pieces.WriteString(last.Delta)
		}
		require.NoError(t, stream.Err())
		assert.Equal(t, want, pieces.String())
		whole := last.AsResponseCompleted().Response
		assert.Positive(t, whole.Usage.OutputTokens)
		assert.Equal(t, want, whole.OutputText()+whole.Output[0].Arguments.OfString)
	}
}

func TestOfficialClientCompactsAConversation(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	got, err := client.Responses.Compact(t.Context(), responses.ResponseCompactParams{
		Model: model, Input: responses.ResponseCompactParamsInputUnion{OfString: openai.String("a long story")},
	})
	require.NoError(t, err)
	require.Len(t, got.Output, 1)
	assert.Equal(t, "sealed by small-2026", got.Output[0].EncryptedContent)
	assert.Positive(t, got.Usage.InputTokens)
}
