package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// anthropicMessages is Anthropic's Messages (API reference: POST /v1/messages).
var anthropicMessages = api{
	suffix:  "/messages",
	read:    readMessages,
	whole:   messageWhole,
	script:  messageScript,
	failure: anthropicFailure,
}

// anthropicCount tells how long a prompt is (API reference: POST
// /v1/messages/count_tokens). It does not stream.
var anthropicCount = api{
	suffix: "/messages/count_tokens",
	read: func(body []byte) (ask, error) {
		asked, err := readCount(body)
		asked.stream, asked.tools = false, nil
		return asked, err
	},
	whole:   func(a answer) any { return messageCount{a.usage.prompt} },
	failure: anthropicFailure,
}

type messageCount struct {
	InputTokens int `json:"input_tokens"`
}

type messagesRequest struct {
	Model      string         `json:"model"`
	Messages   []messagesTurn `json:"messages"`
	Tools      []messagesTool `json:"tools"`
	ToolChoice struct {
		Type string `json:"type"`
	} `json:"tool_choice"`
	Stream bool `json:"stream"`
}

type messagesTurn struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type messagesTool struct {
	Name string `json:"name"`
}

type messagesBlock struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	Text      string          `json:"text"`
	IsError   bool            `json:"is_error"`
}

func (t messagesTurn) blocks() []messagesBlock {
	var blocks []messagesBlock
	if json.Unmarshal(t.Content, &blocks) != nil {
		return nil // a string
	}
	return blocks
}

func readMessages(body []byte) (ask, error) {
	asked, err := readCount(body)
	var limit struct {
		MaxTokens int `json:"max_tokens"`
	}
	if err == nil && (json.Unmarshal(body, &limit) != nil || limit.MaxTokens < 1) {
		err = errors.New("max_tokens: a number above 0 is needed")
	}
	return asked, err
}

// readCount reads what a request to be counted has, which is all but the limit
// on the answer.
func readCount(body []byte) (ask, error) {
	var request messagesRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return ask{}, fmt.Errorf("the body is not a Messages request: %w", err)
	}
	if err := checkMessages(request.Messages, body); err != nil {
		return ask{}, err
	}
	asked := ask{model: request.Model, stream: request.Stream, caches: bytes.Contains(body, []byte(`"cache_control"`))}
	last := request.Messages[len(request.Messages)-1]
	if last.Role == "user" {
		asked.text = chatText(last.Content)
	}
	for _, block := range last.blocks() {
		if block.Type == "tool_result" {
			asked.text, asked.toolResult = "", chatText(block.Content)
		}
	}
	if request.ToolChoice.Type != "none" {
		for _, tool := range request.Tools {
			asked.tools = append(asked.tools, tool.Name)
		}
	}
	return asked, nil
}

type messageResponse struct {
	ID           string         `json:"id"`
	Type         string         `json:"type"`
	Role         string         `json:"role"`
	Model        string         `json:"model"`
	Content      []messageBlock `json:"content"`
	StopReason   *string        `json:"stop_reason"`
	StopSequence *string        `json:"stop_sequence"` // always null
	Usage        messageUsage   `json:"usage"`
}

type messageBlock struct {
	Type  string          `json:"type"`
	Text  *string         `json:"text,omitempty"`
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

// messageUsage counts the prompt in three parts, none of which is in another.
type messageUsage struct {
	InputTokens              int `json:"input_tokens"`
	CacheCreationInputTokens int `json:"cache_creation_input_tokens"`
	CacheReadInputTokens     int `json:"cache_read_input_tokens"`
	OutputTokens             int `json:"output_tokens"`
}

// messageUsageOf: what is not read from the cache is written to it where the
// request asks for caching.
func messageUsageOf(a answer) messageUsage {
	u := messageUsage{InputTokens: a.usage.prompt - a.usage.cached, CacheReadInputTokens: a.usage.cached, OutputTokens: a.usage.completion}
	if a.ask.caches {
		u.InputTokens, u.CacheCreationInputTokens = 0, u.InputTokens
	}
	return u
}

func messageOf(a answer) messageResponse {
	return messageResponse{
		ID: "msg_" + a.id, Type: "message", Role: "assistant", Model: a.ask.model,
		Content: []messageBlock{}, Usage: messageUsageOf(a),
	}
}

func messageWhole(a answer) any {
	whole := messageOf(a)
	whole.StopReason = messageStop(a)
	if len(a.calls) == 0 {
		whole.Content = []messageBlock{{Type: "text", Text: &a.text}}
	}
	for _, made := range a.calls {
		whole.Content = append(whole.Content, messageBlock{
			Type: "tool_use", ID: made.id, Name: made.name, Input: json.RawMessage(made.arguments),
		})
	}
	return whole
}

func messageStop(a answer) *string {
	reason := "end_turn"
	if len(a.calls) > 0 {
		reason = "tool_use"
	}
	return &reason
}

type anthropicErrorBody struct {
	Type  string         `json:"type"`
	Error anthropicError `json:"error"`
}

type anthropicError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// anthropicFailure is the error body of Anthropic's API, whose types follow the
// status.
func anthropicFailure(f failure) any {
	kind := invalidRequest
	switch {
	case f.status == http.StatusNotFound:
		kind = "not_found_error"
	case f.status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case f.status == 529:
		kind = "overloaded_error"
	case f.status >= http.StatusInternalServerError:
		kind = "api_error"
	}
	return anthropicErrorBody{Type: "error", Error: anthropicError{Type: kind, Message: f.message}}
}
