package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// A chat is a dialogue over OpenAI's Chat Completions.
type chat struct {
	service  openai.ChatCompletionService
	messages []openai.ChatCompletionMessageParamUnion
}

func newChat(url, system string, client *http.Client) dialogue {
	return &chat{
		service:  openai.NewChatCompletionService(openaiOptions(url, client)...),
		messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(system)},
	}
}

// openaiOptions are without retries, so that a failure is seen, and without the
// environment, which may hold somebody's real key.
func openaiOptions(url string, client *http.Client) []option.RequestOption {
	return []option.RequestOption{
		option.WithBaseURL(url + "/v1/"), option.WithAPIKey("demo"), option.WithMaxRetries(0), option.WithHTTPClient(client),
	}
}

func (c *chat) human(text, image string) {
	if image == "" {
		c.messages = append(c.messages, openai.UserMessage(text))
		return
	}
	c.messages = append(c.messages, openai.UserMessage([]openai.ChatCompletionContentPartUnionParam{
		openai.TextContentPart(text),
		openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: dataURL(image)}),
	}))
}

func (c *chat) results(done []result) {
	for _, one := range done {
		c.messages = append(c.messages, openai.ToolMessage(one.tool.result, one.id))
	}
	for _, reminder := range reminders(done) {
		c.messages = append(c.messages, openai.UserMessage(reminder))
	}
}

func (c *chat) ask(ctx context.Context, q question) (*reply, error) {
	params := openai.ChatCompletionNewParams{Model: q.model, Messages: c.messages, Tools: c.offered()}
	answer, err := c.complete(ctx, params, q)
	if err != nil {
		return nil, err
	}
	if len(answer.Choices) != 1 {
		return nil, fmt.Errorf("the answer has %d choices, want 1", len(answer.Choices))
	}
	said, usage := answer.Choices[0].Message, answer.Usage
	c.messages = append(c.messages, said.ToParam())
	r := &reply{
		model: answer.Model, prompt: usage.PromptTokens, cached: usage.PromptTokensDetails.CachedTokens, output: usage.CompletionTokens,
	}
	for _, one := range said.ToolCalls {
		r.calls = append(r.calls, call{one.ID, one.Function.Name})
	}
	return r, nil
}

func (c *chat) complete(ctx context.Context, params openai.ChatCompletionNewParams, q question) (*openai.ChatCompletion, error) {
	name := option.WithHeader(headerRequest, q.name)
	if !q.stream {
		return c.service.New(ctx, params, name)
	}
	params.StreamOptions.IncludeUsage = openai.Bool(true)
	stream := c.service.NewStreaming(ctx, params, name)
	defer func() { _ = stream.Close() }()
	var whole openai.ChatCompletionAccumulator
	for stream.Next() {
		if !whole.AddChunk(stream.Current()) {
			return nil, fmt.Errorf("the stream has a piece that does not fit: %s", stream.Current().RawJSON())
		}
	}
	return &whole.ChatCompletion, stream.Err()
}

func (*chat) offered() []openai.ChatCompletionToolUnionParam {
	params := make([]openai.ChatCompletionToolUnionParam, 0, len(tools))
	for _, t := range tools {
		params = append(params, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.name, Description: openai.String(t.description), Parameters: t.schema(),
		}))
	}
	return params
}
