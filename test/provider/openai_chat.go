package provider

import (
	"encoding/json"
	"fmt"
	"strings"
)

// openAIChat is OpenAI's Chat Completions (API reference: POST
// /v1/chat/completions).
var openAIChat = api{
	suffix:  "/chat/completions",
	read:    readChat,
	whole:   chatWhole,
	script:  chatScript,
	failure: openAIFailure,
}

type chatRequest struct {
	Model         string        `json:"model"`
	Messages      []chatMessage `json:"messages"`
	Tools         []chatTool    `json:"tools"`
	ToolChoice    any           `json:"tool_choice"`
	Stream        bool          `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type chatMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  []chatCall      `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

type chatTool struct {
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

type chatCall struct {
	// Index is there in streams only, whose later pieces have neither id,
	// type nor name.
	Index    *int         `json:"index,omitempty"`
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

func readChat(body []byte) (ask, error) {
	var request chatRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return ask{}, fmt.Errorf("the body is not a chat completion request: %w", err)
	}
	if err := checkChat(request.Messages); err != nil {
		return ask{}, err
	}
	asked := ask{model: request.Model, stream: request.Stream, streamUsage: request.StreamOptions.IncludeUsage}
	switch last := request.Messages[len(request.Messages)-1]; last.Role {
	case "tool":
		asked.toolResult = chatText(last.Content)
	case "user":
		asked.text = chatText(last.Content)
	}
	if request.ToolChoice != "none" {
		for _, tool := range request.Tools {
			asked.tools = append(asked.tools, tool.Function.Name)
		}
	}
	return asked, nil
}

// chatText is the text of a message's content, a string or a list of parts.
func chatText(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return ""
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = part.Text
	}
	return strings.Join(texts, "\n")
}

type chatResponse struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   *chatUsage   `json:"usage,omitempty"`
}

type chatChoice struct {
	Index        int        `json:"index"`
	Message      *chatSaid  `json:"message,omitempty"`
	Delta        *chatDelta `json:"delta,omitempty"`
	Logprobs     *string    `json:"logprobs"` // always null
	FinishReason *string    `json:"finish_reason"`
}

type chatSaid struct {
	Role      string     `json:"role"`
	Content   *string    `json:"content"`
	Refusal   *string    `json:"refusal"` // always null
	ToolCalls []chatCall `json:"tool_calls,omitempty"`
}

type chatDelta struct {
	Role      string     `json:"role,omitempty"`
	Content   *string    `json:"content,omitempty"`
	ToolCalls []chatCall `json:"tool_calls,omitempty"`
}

type chatUsage struct {
	PromptTokens        int `json:"prompt_tokens"`
	CompletionTokens    int `json:"completion_tokens"`
	TotalTokens         int `json:"total_tokens"`
	PromptTokensDetails struct {
		CachedTokens int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func chatUsageOf(u usage) *chatUsage {
	out := &chatUsage{PromptTokens: u.prompt, CompletionTokens: u.completion, TotalTokens: u.prompt + u.completion}
	out.PromptTokensDetails.CachedTokens = u.cached
	return out
}

func chatWhole(a answer) any {
	said := &chatSaid{Role: "assistant"}
	for _, made := range a.calls {
		said.ToolCalls = append(said.ToolCalls, chatCallOf(made))
	}
	if len(a.calls) == 0 {
		said.Content = &a.text
	}
	response := chatResponseOf(a, "chat.completion", chatChoice{Message: said, FinishReason: chatFinish(a)})
	response.Usage = chatUsageOf(a.usage)
	return response
}

func chatResponseOf(a answer, object string, choices ...chatChoice) chatResponse {
	return chatResponse{ID: "chatcmpl-" + a.id, Object: object, Created: a.created, Model: a.ask.model, Choices: choices}
}

func chatCallOf(c call) chatCall {
	return chatCall{ID: c.id, Type: "function", Function: chatFunction{Name: c.name, Arguments: c.arguments}}
}

func chatFinish(a answer) *string {
	reason := "stop"
	if len(a.calls) > 0 {
		reason = "tool_calls"
	}
	return &reason
}
