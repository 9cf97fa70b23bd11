package sdk

import (
	"encoding/json"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
)

// A messenger is Anthropic's own client for Go.
type messenger struct {
	*testing.T

	client anthropic.Client
}

func human(blocks ...anthropic.ContentBlockParamUnion) []anthropic.MessageParam {
	return []anthropic.MessageParam{anthropic.NewUserMessage(blocks...)}
}

func asking(messages []anthropic.MessageParam) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{Model: "auto", MaxTokens: 1000, Messages: messages}
}

func TestSDK_GoSeesWhatTheProvidersSaid(t *testing.T) {
	t.Parallel()
	v := visiting()
	m := messenger{t, anthropic.NewClient(
		option.WithBaseURL(v.base()), option.WithAPIKey("of-the-client"), option.WithMaxRetries(0))}
	hello := asking(human(anthropic.NewTextBlock(greeting)))
	unknown := hello
	unknown.Model = "none-such"
	got := map[string]result{
		"messages plain":  m.ask(hello),
		"messages stream": m.stream(hello),
		"messages tool":   m.tool(),
		"messages image":  m.ask(asking(human(anthropic.NewImageBlockBase64("image/png", pixel), anthropic.NewTextBlock(look)))),
		"messages count":  m.count(hello),
		"messages 404":    m.fail(unknown),
		"messages 400":    m.fail(hello, option.WithHeader(decision.HeaderHintContext, "5000000")),
	}
	want := outcomes("messages")
	// This library has one type for all errors, with the answer's own type in it.
	for name, kind := range map[string]string{"messages 404": "not_found_error", "messages 400": "invalid_request_error"} {
		failed := want[name]
		failed.Error = kind
		want[name] = failed
	}
	v.assertOutcomes(t, want, got)
}

func (m messenger) ask(params anthropic.MessageNewParams) result {
	answer, err := m.client.Messages.New(m.Context(), params)
	require.NoError(m, err)
	return resultOf(answer)
}

func resultOf(message *anthropic.Message) result {
	r := result{Model: message.Model, Stop: string(message.StopReason)}
	for _, block := range message.Content {
		r.Text += block.Text
	}
	return r
}

func (m messenger) stream(params anthropic.MessageNewParams) result {
	stream := m.client.Messages.NewStreaming(m.Context(), params)
	defer func() { assert.NoError(m, stream.Close()) }()
	var all anthropic.Message
	for stream.Next() {
		require.NoError(m, all.Accumulate(stream.Current()))
	}
	require.NoError(m, stream.Err())
	return resultOf(&all)
}

func (m messenger) tool() result {
	params := asking(human(anthropic.NewTextBlock(call)))
	params.Tools = []anthropic.ToolUnionParam{anthropic.ToolUnionParamOfTool(
		anthropic.ToolInputSchemaParam{Properties: map[string]any{"city": map[string]string{"type": "string"}}}, "get_weather")}
	asked, err := m.client.Messages.New(m.Context(), params)
	require.NoError(m, err)
	require.Len(m, asked.Content, 1)
	use := asked.Content[0].AsToolUse()
	params.Messages = append(params.Messages, asked.ToParam(),
		anthropic.NewUserMessage(anthropic.NewToolResultBlock(use.ID, weather, false)))
	answered := m.ask(params)
	answered.Tool = use.Name
	require.NoError(m, json.Unmarshal(use.Input, &answered.Arguments))
	return answered
}

func (m messenger) count(params anthropic.MessageNewParams) result {
	count, err := m.client.Messages.CountTokens(m.Context(),
		anthropic.MessageCountTokensParams{Model: params.Model, Messages: params.Messages})
	require.NoError(m, err)
	return result{Tokens: count.InputTokens}
}

func (m messenger) fail(params anthropic.MessageNewParams, options ...option.RequestOption) result {
	_, err := m.client.Messages.New(m.Context(), params, options...)
	var failed *anthropic.Error
	require.ErrorAs(m, err, &failed)
	var body struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	require.NoError(m, json.Unmarshal([]byte(failed.RawJSON()), &body))
	return result{Error: string(failed.Type()), Status: failed.StatusCode, Message: body.Error.Message}
}
