package provider_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/test/provider"
)

func startAnthropic(t *testing.T) anthropic.Client {
	t.Helper()
	server, _ := start(t)
	return anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"), option.WithMaxRetries(0))
}

func askingMessages(messages ...anthropic.MessageParam) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: model, MaxTokens: 100, Messages: messages,
		Tools: []anthropic.ToolUnionParam{anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{}, "get_weather")},
	}
}

func user(text string) anthropic.MessageParam {
	return anthropic.NewUserMessage(anthropic.NewTextBlock(text))
}

func TestOfficialAnthropicClientReadsAnAnswer(t *testing.T) {
	t.Parallel()
	client := startAnthropic(t)
	got, err := client.Messages.New(t.Context(), askingMessages(user("What is the capital of France?")))
	require.NoError(t, err)
	require.Len(t, got.Content, 1)
	assert.Equal(t, `small-2026 was asked "What is the capital of France?" and would answer these 6 words here.`, got.Content[0].Text)
	assert.Equal(t, anthropic.StopReasonEndTurn, got.StopReason)
	assert.Positive(t, got.Usage.InputTokens)
	assert.Positive(t, got.Usage.OutputTokens)
}

func TestOfficialAnthropicClientPlaysAToolLoop(t *testing.T) {
	t.Parallel()
	client := startAnthropic(t)
	ask := user(`Use get_weather {"city":"Paris"}`)
	got, err := client.Messages.New(t.Context(), askingMessages(ask))
	require.NoError(t, err)
	assert.Equal(t, anthropic.StopReasonToolUse, got.StopReason)
	use := got.Content[0].AsToolUse()
	assert.JSONEq(t, `{"city":"Paris"}`, string(use.Input))

	_, err = client.Messages.New(t.Context(), askingMessages(ask, got.ToParam(), user("go on")))
	require.ErrorContains(t, err, "1 tool_use ids were found without tool_result blocks")
	_, err = client.Messages.New(t.Context(), askingMessages(anthropic.NewUserMessage(anthropic.NewToolResultBlock("gone", "x", false))))
	require.ErrorContains(t, err, "unexpected tool_use_id")

	answer := anthropic.NewUserMessage(anthropic.NewToolResultBlock(use.ID, "rain", false))
	got, err = client.Messages.New(t.Context(), askingMessages(ask, got.ToParam(), answer))
	require.NoError(t, err)
	assert.Equal(t, `small-2026 has read 4 bytes from the tool, beginning with "rain".`, got.Content[0].Text)
}

func TestOfficialAnthropicClientReadsAStream(t *testing.T) {
	t.Parallel()
	client := startAnthropic(t)
	for text, want := range map[string]string{
		"Tell me a story":                  `small-2026 was told "Tell me a story" and would act on these 4 words here.`,
		`Use get_weather {"city":"Paris"}`: `{"city":"Paris"}`,
	} {
		stream := client.Messages.NewStreaming(t.Context(), askingMessages(user(text)))
		var whole anthropic.Message
		for stream.Next() {
			require.NoError(t, whole.Accumulate(stream.Current()))
		}
		require.NoError(t, stream.Err())
		require.Len(t, whole.Content, 1)
		assert.Equal(t, want, whole.Content[0].Text+string(whole.Content[0].Input))
		assert.Positive(t, whole.Usage.InputTokens)
		assert.Greater(t, whole.Usage.OutputTokens, int64(1))
	}
}

func TestUsageOfMessagesCountsTheCacheApart(t *testing.T) {
	t.Parallel()
	client := startAnthropic(t)
	long := anthropic.NewTextBlock(strings.Repeat("word ", 4000))
	long.OfText.CacheControl = anthropic.NewCacheControlEphemeralParam()
	params := askingMessages(anthropic.NewUserMessage(long))
	first, err := client.Messages.New(t.Context(), params)
	require.NoError(t, err)
	second, err := client.Messages.New(t.Context(), params)
	require.NoError(t, err)
	assert.Zero(t, first.Usage.CacheReadInputTokens)
	assert.Greater(t, first.Usage.CacheCreationInputTokens, int64(4000))
	assert.Greater(t, second.Usage.CacheReadInputTokens, int64(4000))
	assert.Equal(t, first.Usage.CacheCreationInputTokens, second.Usage.CacheReadInputTokens+second.Usage.CacheCreationInputTokens)
}

func TestOfficialAnthropicClientCountsTokens(t *testing.T) {
	t.Parallel()
	client := startAnthropic(t)
	got, err := client.Messages.CountTokens(t.Context(), anthropic.MessageCountTokensParams{Model: model, Messages: []anthropic.MessageParam{user("hi")}})
	require.NoError(t, err)
	assert.Positive(t, got.InputTokens)
}

func TestOfficialAnthropicClientRaisesItsOwnErrors(t *testing.T) {
	t.Parallel()
	client := startAnthropic(t)
	for status, kind := range map[string]anthropic.ErrorType{
		"404": anthropic.ErrorTypeNotFoundError, "429": anthropic.ErrorTypeRateLimitError,
		"529": anthropic.ErrorTypeOverloadedError, "500": anthropic.ErrorTypeAPIError, "400": anthropic.ErrorTypeInvalidRequestError,
	} {
		_, err := client.Messages.New(t.Context(), askingMessages(user("hi")), option.WithHeader(provider.HeaderStatus, status))
		failure, ok := errors.AsType[*anthropic.Error](err)
		require.True(t, ok, status)
		assert.Equal(t, kind, failure.Type(), status)
	}
}
