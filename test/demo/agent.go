package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

const (
	// headerRequest names a request, so that the provider's record of it can be
	// found. It travels through Envoy like any other header.
	headerRequest = "x-demo-request"
	// maxRounds bounds a tool loop.
	maxRounds = 5
)

// An agent is a client with one growing conversation, like a coding agent.
type agent struct {
	chat     openai.ChatCompletionService
	wire     *wire
	session  string
	messages []openai.ChatCompletionMessageParamUnion
	sent     int
}

// An exchange is one request of an agent and its answer.
type exchange struct {
	sent

	label  string // turn and round, such as "5.2"
	asked  string // in a few words
	model  string // that was asked for
	name   string // the value of headerRequest
	stream bool
	took   time.Duration // until the answer was read to its end
	answer *openai.ChatCompletion
}

// String names an exchange in errors.
func (x *exchange) String() string {
	return fmt.Sprintf("%s (%s; model %s)", x.label, x.asked, x.model)
}

// newAgent is a client of the Envoy at url. Its system prompt names its session,
// so that no two agents share a provider's prompt cache.
func newAgent(url string) *agent {
	w, session := newWire(), rand.Text()[:8]
	return &agent{
		// Without retries, so that a failure is seen; without the environment,
		// which may hold somebody's real key.
		chat: openai.NewChatCompletionService(
			option.WithBaseURL(url+"/v1/"), option.WithAPIKey("demo"), option.WithMaxRetries(0),
			option.WithHTTPClient(&http.Client{Transport: w}),
		),
		wire: w, session: session,
		messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage("Session " + session + ". You are a coding agent in a Go repository. Work in small steps."),
		},
	}
}

// leave closes the agent's connections.
func (a *agent) leave() { a.wire.transport.CloseIdleConnections() }

// play plays turns. An error is about the last exchange, which is not among
// those returned.
func (a *agent) play(ctx context.Context, turns []turn) ([]*exchange, error) {
	var all []*exchange
	for i, t := range turns {
		exchanges, err := a.take(ctx, strconv.Itoa(i+1), t)
		all = append(all, exchanges...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// take asks, and does what tools the model calls for, until it answers.
func (a *agent) take(ctx context.Context, label string, t turn) ([]*exchange, error) {
	var all []*exchange
	a.messages = append(a.messages, t.says)
	next := &exchange{label: label, asked: t.asked, model: t.model, stream: t.stream}
	for len(all) < maxRounds {
		if err := a.ask(ctx, next); err != nil {
			return all, fmt.Errorf("%s: %w", next, err)
		}
		all = append(all, next)
		said := next.answer.Choices[0].Message
		a.messages = append(a.messages, said.ToParam())
		if len(said.ToolCalls) == 0 {
			return all, nil
		}
		done, err := a.work(said.ToolCalls)
		if err != nil {
			return all, fmt.Errorf("%s: %w", next, err)
		}
		next = &exchange{
			label: fmt.Sprintf("%s.%d", label, len(all)+1), asked: "result of " + done, model: t.model, stream: t.stream,
		}
	}
	return all, fmt.Errorf("%s: not sent: the model has called tools %d times", next, maxRounds)
}

// work runs the tools that were called, and returns the last one's name. All
// results stand before anything else that the agent has to say.
func (a *agent) work(calls []openai.ChatCompletionMessageToolCallUnion) (string, error) {
	var reminders []openai.ChatCompletionMessageParamUnion
	last := ""
	for _, call := range calls {
		last = call.Function.Name
		t, ok := toolCalled(last)
		if !ok {
			return "", fmt.Errorf("the model calls a tool that was not offered: %q", last)
		}
		a.messages = append(a.messages, openai.ToolMessage(t.result, call.ID))
		if t.reminder != "" {
			reminders = append(reminders, openai.UserMessage(t.reminder))
		}
	}
	a.messages = append(a.messages, reminders...)
	return last, nil
}

// ask sends the conversation and puts what came of it into the exchange.
func (a *agent) ask(ctx context.Context, x *exchange) error {
	a.sent++
	x.name = fmt.Sprintf("%s-%02d", a.session, a.sent)
	params := openai.ChatCompletionNewParams{Model: x.model, Messages: a.messages, Tools: offered()}
	answer, err := a.complete(ctx, params, x)
	if err != nil {
		return err
	}
	if len(answer.Choices) != 1 {
		return fmt.Errorf("the answer has %d choices, want 1", len(answer.Choices))
	}
	x.sent, x.answer, x.took = a.wire.last, answer, time.Since(a.wire.last.at)
	return nil
}

func (a *agent) complete(ctx context.Context, params openai.ChatCompletionNewParams, x *exchange) (*openai.ChatCompletion, error) {
	name := option.WithHeader(headerRequest, x.name)
	if !x.stream {
		return a.chat.New(ctx, params, name)
	}
	params.StreamOptions.IncludeUsage = openai.Bool(true)
	stream := a.chat.NewStreaming(ctx, params, name)
	defer func() { _ = stream.Close() }()
	var whole openai.ChatCompletionAccumulator
	for stream.Next() {
		if !whole.AddChunk(stream.Current()) {
			return nil, fmt.Errorf("the stream has a piece that does not fit: %s", stream.Current().RawJSON())
		}
	}
	return &whole.ChatCompletion, stream.Err()
}
