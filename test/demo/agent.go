package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/pointsman/pointsman/filter/conversation"
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
	dialogue dialogue
	wire     *wire
	session  string
	sent     int
}

// An exchange is one request of an agent and its answer.
type exchange struct {
	sent

	question

	label  string        // turn and round, such as "5.2"
	asked  string        // in a few words
	took   time.Duration // until the answer was read to its end
	answer *reply
}

// String names an exchange in errors.
func (x *exchange) String() string {
	return fmt.Sprintf("%s (%s; model %s)", x.label, x.asked, x.model)
}

// newAgent is a client of the Envoy at url. Its system prompt names its session,
// so that no two agents share a provider's prompt cache.
func newAgent(url string, api conversation.API) *agent {
	w, session := newWire(), rand.Text()[:8]
	system := "Session " + session + ". You are a coding agent in a Go repository. Work in small steps."
	return &agent{dialogue: openers[api](url, system, &http.Client{Transport: w}), wire: w, session: session}
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
	a.dialogue.human(t.says, t.image)
	next := &exchange{question: question{model: t.model, stream: t.stream}, label: label, asked: t.asked}
	for len(all) < maxRounds {
		if err := a.ask(ctx, next); err != nil {
			return all, fmt.Errorf("%s: %w", next, err)
		}
		all = append(all, next)
		if len(next.answer.calls) == 0 {
			return all, nil
		}
		done, err := a.work(next.answer.calls)
		if err != nil {
			return all, fmt.Errorf("%s: %w", next, err)
		}
		next = &exchange{
			question: question{model: t.model, stream: t.stream},
			label:    fmt.Sprintf("%s.%d", label, len(all)+1), asked: "result of " + done,
		}
	}
	return all, fmt.Errorf("%s: not sent: the model has called tools %d times", next, maxRounds)
}

// work runs the tools that were called, and returns the last one's name.
func (a *agent) work(calls []call) (string, error) {
	done := make([]result, len(calls))
	for i, c := range calls {
		t, ok := toolCalled(c.name)
		if !ok {
			return "", fmt.Errorf("the model calls a tool that was not offered: %q", c.name)
		}
		done[i] = result{c, t}
	}
	a.dialogue.results(done)
	return calls[len(calls)-1].name, nil
}

// ask sends the conversation and puts what came of it into the exchange.
func (a *agent) ask(ctx context.Context, x *exchange) (err error) {
	a.sent++
	x.name = fmt.Sprintf("%s-%02d", a.session, a.sent)
	if x.answer, err = a.dialogue.ask(ctx, x.question); err != nil {
		return err
	}
	x.sent, x.took = a.wire.last, time.Since(a.wire.last.at)
	return nil
}
