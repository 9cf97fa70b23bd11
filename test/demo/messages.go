package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// messages is a dialogue over Anthropic's Messages.
type messages struct {
	service anthropic.MessageService
	system  string
	turns   []anthropic.MessageParam
}

// answerTokens is what an answer may have, which this API wants to be told.
const answerTokens = 4096

func newMessages(url, system string, client *http.Client) dialogue {
	return &messages{system: system, service: anthropic.NewMessageService(
		option.WithBaseURL(url+"/"), option.WithAPIKey("demo"), option.WithMaxRetries(0), option.WithHTTPClient(client),
	)}
}

func (m *messages) human(text, image string) {
	content := []anthropic.ContentBlockParamUnion{anthropic.NewTextBlock(text)}
	if image != "" {
		content = append(content, anthropic.NewImageBlockBase64("image/png", image))
	}
	m.turns = append(m.turns, anthropic.NewUserMessage(content...))
}

// results are one message, and reminders another: the API takes turns of one
// role that follow each other for one, and the stand-in answers the last.
func (m *messages) results(done []result) {
	content := make([]anthropic.ContentBlockParamUnion, len(done))
	for i, one := range done {
		content[i] = anthropic.NewToolResultBlock(one.id, one.tool.result, false)
	}
	m.turns = append(m.turns, anthropic.NewUserMessage(content...))
	for _, reminder := range reminders(done) {
		m.human(reminder, "")
	}
}

func (m *messages) ask(ctx context.Context, q question) (*reply, error) {
	answer, err := m.complete(ctx, anthropic.MessageNewParams{
		Model: q.model, MaxTokens: answerTokens, Messages: m.turns, Tools: m.offered(),
		System: []anthropic.TextBlockParam{{Text: m.system}},
	}, q)
	if err != nil {
		return nil, err
	}
	m.turns = append(m.turns, answer.ToParam())
	usage := answer.Usage
	r := &reply{
		model:  answer.Model,
		prompt: usage.InputTokens + usage.CacheReadInputTokens + usage.CacheCreationInputTokens,
		cached: usage.CacheReadInputTokens, output: usage.OutputTokens,
	}
	for _, block := range answer.Content {
		if block.Type == "tool_use" {
			r.calls = append(r.calls, call{block.ID, block.Name})
		}
	}
	return r, nil
}

func (m *messages) complete(ctx context.Context, params anthropic.MessageNewParams, q question) (*anthropic.Message, error) {
	name := option.WithHeader(headerRequest, q.name)
	if !q.stream {
		return m.service.New(ctx, params, name)
	}
	stream := m.service.NewStreaming(ctx, params, name)
	defer func() { _ = stream.Close() }()
	var whole anthropic.Message
	for stream.Next() {
		if err := whole.Accumulate(stream.Current()); err != nil {
			return nil, fmt.Errorf("the stream has an event that does not fit: %w", err)
		}
	}
	return &whole, stream.Err()
}

func (*messages) offered() []anthropic.ToolUnionParam {
	params := make([]anthropic.ToolUnionParam, 0, len(tools))
	for _, t := range tools {
		offer := anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{
			Properties: t.properties(), Required: []string{t.argument},
		}, t.name)
		offer.OfTool.Description = anthropic.String(t.description)
		params = append(params, offer)
	}
	return params
}
