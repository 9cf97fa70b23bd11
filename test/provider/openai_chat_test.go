package provider_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/test/provider"
)

const model = "small-2026"

// start serves a provider, and returns it with a plain client of the official
// library.
func start(t *testing.T) (*httptest.Server, openai.Client) {
	t.Helper()
	server := httptest.NewServer(provider.New(provider.Options{Name: "provider-a", Models: []string{model}}))
	t.Cleanup(server.Close)
	client := openai.NewClient(option.WithBaseURL(server.URL+"/v1"), option.WithAPIKey("none"), option.WithMaxRetries(0))
	return server, client
}

func asking(messages ...openai.ChatCompletionMessageParamUnion) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{Model: model, Messages: messages}
}

func withWeather(params openai.ChatCompletionNewParams) openai.ChatCompletionNewParams {
	for _, name := range []string{"get_weather", "get_weather_history"} {
		params.Tools = append(params.Tools, openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name: name, Parameters: openai.FunctionParameters{"type": "object"},
		}))
	}
	return params
}

func TestOfficialClientReadsAPlainAnswer(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	var raw *http.Response
	completion, err := client.Chat.Completions.New(t.Context(),
		asking(openai.UserMessage("What is the capital of France?")), option.WithResponseInto(&raw))
	require.NoError(t, err)
	assert.Equal(t, model, completion.Model)
	assert.Equal(t, "chat.completion", string(completion.Object))
	assert.Equal(t, "provider-a", raw.Header.Get(provider.HeaderName))
	require.Len(t, completion.Choices, 1)
	assert.Equal(t, "stop", completion.Choices[0].FinishReason)
	assert.Equal(t, `small-2026 was asked "What is the capital of France?" and would answer these 6 words here.`,
		completion.Choices[0].Message.Content)
	recorded, err := provider.Client{URL: server.URL}.Requests(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, recorded, 1)
	assert.Equal(t, (recorded[0].BodyLength+3)/4, completion.Usage.PromptTokens)
	assert.Equal(t, completion.Usage.PromptTokens+completion.Usage.CompletionTokens, completion.Usage.TotalTokens)
	assert.Positive(t, completion.Usage.CompletionTokens)
}

func TestOfficialClientReadsAStream(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	params := asking(openai.UserMessage("Tell me a story"))
	params.StreamOptions.IncludeUsage = openai.Bool(true)
	stream := client.Chat.Completions.NewStreaming(t.Context(), params)
	var whole openai.ChatCompletionAccumulator
	pieces := 0
	for stream.Next() {
		assert.True(t, whole.AddChunk(stream.Current()))
		if len(stream.Current().Choices) > 0 && stream.Current().Choices[0].Delta.Content != "" {
			pieces++
		}
	}
	require.NoError(t, stream.Err())
	assert.Greater(t, pieces, 5, "the content comes in pieces")
	assert.Equal(t, `small-2026 was told "Tell me a story" and would act on these 4 words here.`, whole.Choices[0].Message.Content)
	assert.Equal(t, "stop", whole.Choices[0].FinishReason)
	assert.Positive(t, whole.Usage.PromptTokens)
}

func TestStreamEndsWithUsageOnlyWhereAskedFor(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	for name, test := range map[string]struct {
		options string
		usages  int
	}{
		"asked":     {options: `,"stream_options":{"include_usage":true}`, usages: 1},
		"not asked": {options: ``, usages: 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := post(t, server.URL+"/v1/chat/completions",
				`{"model":"small-2026","stream":true,"messages":[{"role":"user","content":"Hi"}]`+test.options+`}`)
			assert.Equal(t, test.usages, strings.Count(body, `"usage":{`))
			assert.True(t, strings.HasSuffix(body, "\n\ndata: [DONE]\n\n"), body)
		})
	}
}

func TestNamedToolIsCalled(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	completion, err := client.Chat.Completions.New(t.Context(),
		withWeather(asking(openai.UserMessage(`Please call get_weather_history {"city": "Köln"} now`))))
	require.NoError(t, err)
	choice := completion.Choices[0]
	assert.Equal(t, "tool_calls", choice.FinishReason)
	require.Len(t, choice.Message.ToolCalls, 1, "get_weather is another word")
	made := choice.Message.ToolCalls[0]
	assert.Equal(t, "get_weather_history", made.Function.Name)
	assert.JSONEq(t, `{"city": "Köln"}`, made.Function.Arguments)
}

func TestToolLoopThroughTheOfficialClient(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	question := openai.UserMessage(`Use get_weather {"city": "Köln"} and get_weather_history, please.`)
	stream := client.Chat.Completions.NewStreaming(t.Context(), withWeather(asking(question)))
	var whole openai.ChatCompletionAccumulator
	for stream.Next() {
		assert.True(t, whole.AddChunk(stream.Current()))
	}
	require.NoError(t, stream.Err())
	message := whole.Choices[0].Message
	require.Len(t, message.ToolCalls, 2)
	assert.JSONEq(t, `{"city": "Köln"}`, message.ToolCalls[0].Function.Arguments)
	assert.JSONEq(t, `{}`, message.ToolCalls[1].Function.Arguments)
	assert.NotEqual(t, message.ToolCalls[0].ID, message.ToolCalls[1].ID)

	completion, err := client.Chat.Completions.New(t.Context(), withWeather(asking(
		question, message.ToParam(),
		openai.ToolMessage("12 degrees", message.ToolCalls[0].ID),
		openai.ToolMessage("11 degrees yesterday", message.ToolCalls[1].ID),
	)))
	require.NoError(t, err)
	assert.Equal(t, `small-2026 has read 20 bytes from the tool, beginning with "11 degrees yesterday".`,
		completion.Choices[0].Message.Content)
}

func TestRefusalsAreOpenAIErrors(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	call := openai.AssistantMessage("")
	call.OfAssistant.ToolCalls = []openai.ChatCompletionMessageToolCallUnionParam{{
		OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{ID: "c1"},
	}}
	unknown := asking(openai.UserMessage("Hi"))
	unknown.Model = "auto"
	for name, test := range map[string]struct {
		params openai.ChatCompletionNewParams
		status int
		code   string
		says   string
	}{
		"a virtual model": {unknown, 404, "model_not_found", `provider "provider-a" serves no model "auto"`},
		"no messages":     {asking(), 400, "", "messages: at least one is needed"},
		"a call without its result": {
			asking(openai.UserMessage("Hi"), call, openai.UserMessage("And?")), 400, "", "messages[2]: 1 tool calls before it have no result",
		},
		"a result without its call": {
			asking(openai.UserMessage("Hi"), openai.ToolMessage("12", "c1")), 400, "", `messages[1]: no call with tool_call_id "c1"`,
		},
		"an open call at the end": {
			asking(openai.UserMessage("Hi"), call), 400, "", "messages: the last 1 tool calls have no result",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := client.Chat.Completions.New(t.Context(), test.params)
			var refused *openai.Error
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, test.status, refused.StatusCode)
			assert.Equal(t, "invalid_request_error", refused.Type)
			assert.Equal(t, test.code, refused.Code)
			assert.Contains(t, refused.Message, test.says)
		})
	}
}

func TestLongPrefixSeenBeforeIsCached(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	cached := func(text string) int64 {
		completion, err := client.Chat.Completions.New(t.Context(), asking(openai.UserMessage(text)))
		require.NoError(t, err)
		return completion.Usage.PromptTokensDetails.CachedTokens
	}
	long := strings.Repeat("All work and no play. ", 400)
	assert.Zero(t, cached(long), "never seen")
	assert.EqualValues(t, 2176, cached(long+"Go on."), "8,800 bytes are 2,200 tokens, in steps of 128")
	assert.Zero(t, cached("Anew: "+long), "another prefix")
	assert.Zero(t, cached(long[:4000]), "below 1,024 tokens")
}
