package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// openAIResponses is OpenAI's Responses (API reference: POST /v1/responses).
var openAIResponses = api{
	suffix:  "/responses",
	read:    readResponses,
	whole:   func(a answer) any { return responseOf(a, "completed", responseOutput(a)) },
	script:  responseScript,
	failure: openAIFailure,
}

// openAICompact is what makes a conversation short (API reference: POST
// /v1/responses/compact). It does not stream.
var openAICompact = api{
	suffix: "/responses/compact",
	read: func(body []byte) (ask, error) {
		asked, err := readResponses(body)
		asked.stream, asked.tools = false, nil
		return asked, err
	},
	whole:   compactWhole,
	failure: openAIFailure,
}

type responsesRequest struct {
	Model              string          `json:"model"`
	Input              json.RawMessage `json:"input"`
	Tools              []responsesTool `json:"tools"`
	ToolChoice         any             `json:"tool_choice"`
	Stream             bool            `json:"stream"`
	PreviousResponseID string          `json:"previous_response_id"`
	Conversation       any             `json:"conversation"`
}

type responsesTool struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

type responsesItem struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	CallID  string          `json:"call_id"`
	Output  json.RawMessage `json:"output"`
}

func readResponses(body []byte) (ask, error) {
	var request responsesRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return ask{}, fmt.Errorf("the body is not a Responses request: %w", err)
	}
	asked := ask{model: request.Model, stream: request.Stream}
	if request.ToolChoice != "none" {
		for _, tool := range request.Tools {
			if tool.Type == "function" || tool.Type == "custom" {
				asked.tools = append(asked.tools, tool.Name)
			}
		}
	}
	held := request.PreviousResponseID != "" || request.Conversation != nil
	if len(request.Input) == 0 && held {
		return asked, nil
	}
	if json.Unmarshal(request.Input, &asked.text) == nil {
		return asked, nil
	}
	var items []responsesItem
	if json.Unmarshal(request.Input, &items) != nil || len(items) == 0 {
		return ask{}, errors.New("input: a string or an array of items is needed")
	}
	switch last := items[len(items)-1]; {
	case isOutput(last):
		asked.toolResult = chatText(last.Output)
	case last.Role == "user":
		asked.text = chatText(last.Content)
	}
	return asked, checkItems(items, held)
}

type response struct {
	ID                string           `json:"id"`
	Object            string           `json:"object"`
	CreatedAt         int64            `json:"created_at"`
	Status            string           `json:"status,omitempty"`
	Model             string           `json:"model,omitempty"`
	Output            []responseItem   `json:"output"`
	ParallelToolCalls bool             `json:"parallel_tool_calls"`
	Usage             *responsesTokens `json:"usage"`
}

type responseItem struct {
	ID               string         `json:"id"`
	Type             string         `json:"type"`
	Status           string         `json:"status,omitempty"`
	Role             string         `json:"role,omitempty"`
	Content          []responsePart `json:"content,omitempty"`
	CallID           string         `json:"call_id,omitempty"`
	Name             string         `json:"name,omitempty"`
	Arguments        *string        `json:"arguments,omitempty"`
	EncryptedContent string         `json:"encrypted_content,omitempty"`
}

type responsePart struct {
	Type        string   `json:"type"`
	Text        string   `json:"text"`
	Annotations []string `json:"annotations"` // always empty
}

type responsesTokens struct {
	InputTokens        int `json:"input_tokens"`
	InputTokensDetails struct {
		CachedTokens int `json:"cached_tokens"`
	} `json:"input_tokens_details"`
	OutputTokens        int `json:"output_tokens"`
	OutputTokensDetails struct {
		ReasoningTokens int `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
	TotalTokens int `json:"total_tokens"`
}

func responsesTokensOf(u usage) *responsesTokens {
	out := &responsesTokens{InputTokens: u.prompt, OutputTokens: u.completion, TotalTokens: u.prompt + u.completion}
	out.InputTokensDetails.CachedTokens = u.cached
	return out
}

// responseOf is the response; one that is in progress has no usage yet.
func responseOf(a answer, status string, output []responseItem) response {
	whole := response{
		ID: "resp_" + a.id, Object: "response", CreatedAt: a.created, Status: status, Model: a.ask.model,
		Output: output, ParallelToolCalls: true,
	}
	if status == "completed" {
		whole.Usage = responsesTokensOf(a.usage)
	}
	return whole
}

func responseOutput(a answer) []responseItem {
	if len(a.calls) == 0 {
		return []responseItem{responseMessage(a, "completed", a.text)}
	}
	output := make([]responseItem, len(a.calls))
	for i, made := range a.calls {
		output[i] = responseCall(made, "completed", made.arguments)
	}
	return output
}

func responseMessage(a answer, status, text string) responseItem {
	return responseItem{
		ID: "msg_" + a.id, Type: "message", Status: status, Role: "assistant",
		Content: []responsePart{{Type: "output_text", Text: text, Annotations: []string{}}},
	}
}

func responseCall(made call, status, arguments string) responseItem {
	return responseItem{
		ID: "fc_" + made.id, Type: "function_call", Status: status, CallID: made.id, Name: made.name, Arguments: &arguments,
	}
}

// compactWhole is a conversation in short, which only this provider can read:
// what a test can tell by is the beginning of it.
func compactWhole(a answer) any {
	return response{
		ID: "resp_" + a.id, Object: "response.compaction", CreatedAt: a.created,
		Output: []responseItem{{ID: "cmp_" + a.id, Type: "compaction", EncryptedContent: "sealed by " + a.ask.model}},
		Usage:  responsesTokensOf(a.usage),
	}
}

// sequence numbers the events of a stream.
func sequence(events []event) []event {
	for i := range events {
		number := fmt.Appendf(nil, `{"sequence_number":%d,`, i)
		events[i].data = string(slices.Concat(number, bytes.TrimPrefix([]byte(events[i].data), []byte("{"))))
	}
	return events
}
