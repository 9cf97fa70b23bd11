package integration

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	openaishared "github.com/openai/openai-go/v3/shared"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/test/provider"
)

// An overheard client is OpenAI's own, over a transport that keeps what came
// over the wire.
type overheard struct {
	openai.Client

	header http.Header
	body   bytes.Buffer
}

func (o *overheard) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	o.header = response.Header
	o.body.Reset()
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(response.Body, &o.body), response.Body}
	return response, nil
}

func (v visit) sdk(options ...option.RequestOption) *overheard {
	o := &overheard{}
	o.Client = openai.NewClient(append([]option.RequestOption{
		option.WithBaseURL(v.base() + "/v1"), option.WithAPIKey("of-the-client"), option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Transport: o}),
	}, options...)...)
	return o
}

func human(text string) []openai.ChatCompletionMessageParamUnion {
	return []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}
}

const (
	greeting = "Hello there!"
	// design is work that goes to the best model.
	design = "Design a multi-region, strongly consistent lease service: clock skew, failover, migration from the " +
		"single-region one, back-pressure and a rollout plan."
)

func TestSDK_AnAnswerArrivesAsTheProviderSentIt(t *testing.T) {
	t.Parallel()
	for text, model := range map[string]string{greeting: "small", design: "large"} {
		v := visiting(shared(t))
		client := v.sdk()
		completion, err := client.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{Model: "auto", Messages: human(text)})
		require.NoError(t, err)
		chosen := v.Config.Model(model)
		assert.Equal(t, chosen.GetUpstreamModel(), completion.Model)
		assert.Contains(t, completion.Choices[0].Message.Content, text[:len(greeting)])
		assert.Equal(t, model, client.header.Get(decision.HeaderModel))

		got := v.arrived(t, chosen.GetCluster())
		assert.Equal(t, string(got.Answer), client.body.String())
		assert.Equal(t, strings.TrimSpace(string(got.Answer)), completion.RawJSON())
		assert.Equal(t, "Bearer of-the-client", got.Headers.Get("authorization"))
		assertClean(t, got)
	}
}

func TestSDK_AStreamIsNotHeldBack(t *testing.T) {
	t.Parallel()
	v := visiting(shared(t))
	// The provider sends one word, and the rest only after the gate is open.
	client := v.sdk(option.WithHeader(provider.HeaderHoldStream, v.mark))
	stream := client.Chat.Completions.NewStreaming(t.Context(), openai.ChatCompletionNewParams{
		Model: "auto", Messages: human(greeting),
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	})
	defer func() { assert.NoError(t, stream.Close()) }()
	var all openai.ChatCompletionAccumulator
	for len(all.Choices) == 0 || all.Choices[0].Message.Content == "" {
		require.True(t, stream.Next(), "%v", stream.Err())
		require.True(t, all.AddChunk(stream.Current()))
	}
	assert.Equal(t, "small-2026 ", all.Choices[0].Message.Content)
	assert.False(t, v.arrived(t, "provider-a").Answered, "the provider is still holding the rest")

	v.open(t.Context(), t)
	for stream.Next() {
		require.True(t, all.AddChunk(stream.Current()))
	}
	require.NoError(t, stream.Err())
	assert.Contains(t, all.Choices[0].Message.Content, greeting)
	assert.Positive(t, all.Usage.PromptTokens)
	assert.Equal(t, string(v.arrived(t, "provider-a").Answer), client.body.String())
}

// weather is a tool that the stand-in calls when it is told its name.
func weather() []openai.ChatCompletionToolUnionParam {
	return []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openaishared.FunctionDefinitionParam{
		Name:       "get_weather",
		Parameters: map[string]any{"type": "object", "properties": map[string]any{"city": map[string]string{"type": "string"}}},
	})}
}

const callWeather = `Please use get_weather {"city": "Zürich", "precise": 1.0}`

func TestSDK_AToolIsCalledAndItsResultComesBack(t *testing.T) {
	t.Parallel()
	v := visiting(shared(t))
	client := v.sdk()
	params := openai.ChatCompletionNewParams{Model: "auto", Messages: human(callWeather), Tools: weather()}
	asked, err := client.Chat.Completions.New(t.Context(), params)
	require.NoError(t, err)
	assert.Equal(t, "tool_calls", asked.Choices[0].FinishReason)
	require.Len(t, asked.Choices[0].Message.ToolCalls, 1)
	called := asked.Choices[0].Message.ToolCalls[0]
	assert.Equal(t, "get_weather", called.Function.Name)
	assert.Equal(t, `{"city": "Zürich", "precise": 1.0}`, called.Function.Arguments)

	params.Messages = append(params.Messages, asked.Choices[0].Message.ToParam(), openai.ToolMessage("sunny, 21.50 °C", called.ID))
	answered, err := client.Chat.Completions.New(t.Context(), params)
	require.NoError(t, err)
	assert.Contains(t, answered.Choices[0].Message.Content, "from the tool, beginning with \"sunny, 21.50 °C\"")
	var last provider.Request
	for _, requests := range v.received(t) {
		last = requests[len(requests)-1]
	}
	assert.Equal(t, string(last.Answer), client.body.String())
	assert.Contains(t, string(last.Body), called.ID)
}

func TestSDK_AToolIsCalledInAStream(t *testing.T) {
	t.Parallel()
	v := visiting(shared(t))
	stream := v.sdk().Chat.Completions.NewStreaming(t.Context(), openai.ChatCompletionNewParams{
		Model: "auto", Messages: human(callWeather), Tools: weather(),
	})
	defer func() { assert.NoError(t, stream.Close()) }()
	var all openai.ChatCompletionAccumulator
	var finished openai.FinishedChatCompletionToolCall
	for stream.Next() {
		require.True(t, all.AddChunk(stream.Current()))
		if call, ok := all.JustFinishedToolCall(); ok {
			finished = call
		}
	}
	require.NoError(t, stream.Err())
	assert.Equal(t, "get_weather", finished.Name)
	assert.Equal(t, `{"city": "Zürich", "precise": 1.0}`, finished.Arguments)
}

func TestSDK_AnImageGoesToAModelThatSees(t *testing.T) {
	t.Parallel()
	v := visiting(shared(t))
	client := v.sdk()
	const image = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	completion, err := client.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{
		Model: "auto",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage([]openai.ChatCompletionContentPartUnionParam{
			openai.TextContentPart("Hello, what is this?"),
			openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: image}),
		})},
	})
	require.NoError(t, err)
	assert.Equal(t, "medium-2026", completion.Model)
	got := v.arrived(t, "provider-a")
	assert.Contains(t, string(got.Body), image)
	assert.Equal(t, string(got.Answer), client.body.String())
}

func TestSDK_ErrorsAreItsOwn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		stack   func(*testing.T) *Stack
		model   string
		text    string
		options []option.RequestOption
		want    openai.Error
	}{
		{
			name: "400", stack: shared, model: "auto", text: greeting,
			options: []option.RequestOption{option.WithHeader(decision.HeaderHintContext, "5000000")},
			want: openai.Error{
				StatusCode: http.StatusBadRequest, Type: "invalid_request_error", Code: "context_length_exceeded", Param: "messages",
				Message: "no model of auto can take this request: context window: needs 5,254,096 tokens " +
					"(prompt 5,000,000, margin 250,000, answer 4,096); largest window: large, 1,000,000 tokens",
			},
		},
		{
			name: "404", stack: shared, model: "gpt-9", text: greeting,
			want: openai.Error{
				StatusCode: http.StatusNotFound, Type: "invalid_request_error", Code: "model_not_found", Param: "model",
				Message: `unknown model "gpt-9": ask for auto, auto-fast or for a model of the catalogue`,
			},
		},
		{
			name: "413", stack: strict, model: "auto", text: strings.Repeat("long ", 300_000),
			want: openai.Error{
				StatusCode: http.StatusRequestEntityTooLarge, Type: "invalid_request_error", Code: "request_too_large",
				Message: "the request body is larger than the limit of 1048576 bytes",
			},
		},
		{
			name: "429 of the provider", stack: shared, model: "auto", text: greeting,
			options: []option.RequestOption{option.WithHeader(provider.HeaderStatus, "429")},
			want: openai.Error{
				StatusCode: http.StatusTooManyRequests, Type: "rate_limit_error", Message: "told to answer 429 by x-provider-status",
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := visiting(test.stack(t))
			_, err := v.sdk(test.options...).Chat.Completions.New(t.Context(),
				openai.ChatCompletionNewParams{Model: test.model, Messages: human(test.text)})
			var got *openai.Error
			require.ErrorAs(t, err, &got)
			assert.Equal(t, test.want.StatusCode, got.StatusCode)
			assert.Equal(t, test.want.Message, got.Message)
			assert.Equal(t, test.want.Type, got.Type)
			assert.Equal(t, test.want.Code, got.Code)
			assert.Equal(t, test.want.Param, got.Param)

			stream := v.sdk(test.options...).Chat.Completions.NewStreaming(t.Context(),
				openai.ChatCompletionNewParams{Model: test.model, Messages: human(test.text)})
			assert.False(t, stream.Next())
			require.ErrorAs(t, stream.Err(), &got)
			assert.Equal(t, test.want.Message, got.Message)
		})
	}
}

func TestSDK_ListsTheVirtualModels(t *testing.T) {
	t.Parallel()
	page, err := visiting(shared(t)).sdk().Models.List(t.Context())
	require.NoError(t, err)
	names := make([]string, 0, len(page.Data))
	for _, model := range page.Data {
		names = append(names, model.ID)
	}
	assert.Equal(t, []string{"auto", "auto-fast"}, names)
}
