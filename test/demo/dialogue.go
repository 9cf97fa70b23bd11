package main

import (
	"context"
	"net/http"

	"github.com/pointsman/pointsman/filter/conversation"
)

// A dialogue is a growing conversation over one API, in the words of that API's
// own client library.
type dialogue interface {
	// human says something, with an image where there is one: a PNG in base64.
	human(text, image string)
	// results hands over what tools returned; the agent's reminders come after all
	// of them.
	results(done []result)
	// ask sends the conversation and keeps what was answered in it.
	ask(ctx context.Context, question question) (*reply, error)
}

// A question is how a conversation is sent.
type question struct {
	model  string
	stream bool
	name   string // the value of headerRequest
}

// A reply is what was answered, in whichever API.
type reply struct {
	model  string
	calls  []call
	prompt int64 // tokens, those from a cache included
	cached int64 // tokens of the prompt
	output int64 // tokens
}

// A call is a model's call of a tool.
type call struct{ id, name string }

// A result is what a tool has returned.
type result struct {
	call

	tool tool
}

// openers begin a dialogue with a system prompt, over a connection to an Envoy.
var openers = map[conversation.API]func(url, system string, client *http.Client) dialogue{
	conversation.OpenAIChat:        newChat,
	conversation.OpenAIResponses:   newResponses,
	conversation.AnthropicMessages: newMessages,
}

// sessions are the APIs that the session is played over, one after the other.
var sessions = []conversation.API{conversation.OpenAIChat, conversation.OpenAIResponses, conversation.AnthropicMessages}
