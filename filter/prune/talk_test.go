package prune_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/prune"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// talk is a conversation that can be written in any API.
type talk []turn

// turn is what a human says, or what the assistant says and calls, with the
// results that answer its calls.
type turn struct {
	human   string
	says    string
	signed  string // a signature of thinking before it, in Messages
	results []toolResult
}

// toolResult is a call and what it came to: a text, or parts of one.
type toolResult struct {
	tool    string
	text    string
	parts   []part
	isError bool
}

// part is a text, or media where the text is empty.
type part struct {
	text   string
	kind   string // "image" or "document", for media
	marked bool   // the prompt cache is to end here (Messages)
}

var apis = []conversation.API{conversation.OpenAIChat, conversation.OpenAIResponses, conversation.AnthropicMessages}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "%q:", m.name)
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// body writes a conversation as a request.
func (c talk) body(tb testing.TB, api conversation.API) []byte {
	tb.Helper()
	turns, param := []any{}, "messages"
	for i, turn := range c {
		switch api {
		case conversation.OpenAIChat:
			turns = append(turns, turn.chat(i)...)
		case conversation.AnthropicMessages:
			turns = append(turns, turn.messages(i)...)
		default:
			turns, param = append(turns, turn.responses(i)...), "input"
		}
	}
	body, err := json.Marshal(object{{"model", "auto"}, {param, turns}})
	require.NoError(tb, err)
	return body
}

func id(turn, call int) string { return fmt.Sprintf("call_%d_%d", turn, call) }

func (u turn) chat(at int) []any {
	if u.human != "" {
		return []any{object{{"role", "user"}, {"content", u.human}}}
	}
	var calls, results []any
	for i, r := range u.results {
		calls = append(calls, object{{"id", id(at, i)}, {"type", "function"}, {"function", object{{"name", r.tool}, {"arguments", "{}"}}}})
		results = append(results, object{{"role", "tool"}, {"tool_call_id", id(at, i)}, {"content", r.content("text", chatPart)}, {"x_own", 1}})
	}
	message := object{{"role", "assistant"}, {"content", u.says}}
	if len(calls) > 0 {
		message = append(message, member{"tool_calls", calls})
	}
	return append([]any{message}, results...)
}

func (u turn) messages(at int) []any {
	if u.human != "" {
		return []any{object{{"role", "user"}, {"content", u.human}}}
	}
	var said, results []any
	if u.signed != "" {
		said = append(said, object{{"type", "thinking"}, {"thinking", "hm"}, {"signature", u.signed}})
	}
	said = append(said, object{{"type", "text"}, {"text", u.says}})
	for i, r := range u.results {
		said = append(said, object{{"type", "tool_use"}, {"id", id(at, i)}, {"name", r.tool}, {"input", object{}}})
		result := object{{"type", "tool_result"}, {"tool_use_id", id(at, i)}, {"content", r.content("text", messagesPart)}, {"x_own", 1}}
		if r.isError {
			result = append(result, member{"is_error", true})
		}
		results = append(results, result)
	}
	turns := []any{object{{"role", "assistant"}, {"content", said}}}
	if len(results) > 0 {
		turns = append(turns, object{{"role", "user"}, {"content", results}})
	}
	return turns
}

func (u turn) responses(at int) []any {
	if u.human != "" {
		return []any{object{{"role", "user"}, {"content", u.human}}}
	}
	items := []any{object{{"type", "message"}, {"role", "assistant"}, {"content", []any{object{{"type", "output_text"}, {"text", u.says}}}}}}
	var outputs []any
	for i, r := range u.results {
		items = append(items, object{{"type", "function_call"}, {"call_id", id(at, i)}, {"name", r.tool}, {"arguments", "{}"}})
		outputs = append(outputs, object{{"type", "function_call_output"}, {"call_id", id(at, i)}, {"output", r.content("input_text", responsesPart)}, {"x_own", 1}})
	}
	return append(items, outputs...)
}

func (r toolResult) content(textType string, media func(part) object) any {
	if r.parts == nil {
		return r.text
	}
	parts := []any{}
	for _, p := range r.parts {
		made := object{{"type", textType}, {"text", p.text}}
		if p.kind != "" {
			made = media(p)
		}
		if p.marked {
			made = append(made, member{"cache_control", object{{"type", "ephemeral"}}})
		}
		parts = append(parts, made)
	}
	return parts
}

const pixels = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func chatPart(p part) object {
	if p.kind == "image" {
		return object{{"type", "image_url"}, {"image_url", object{{"url", "data:image/png;base64," + pixels}}}}
	}
	return object{{"type", "file"}, {"file", object{{"file_data", pixels}}}}
}

func messagesPart(p part) object {
	return object{{"type", p.kind}, {"source", object{{"type", "base64"}, {"media_type", "image/png"}, {"data", pixels}}}}
}

func responsesPart(p part) object {
	if p.kind == "image" {
		return object{{"type", "input_image"}, {"image_url", "data:image/png;base64," + pixels}}
	}
	return object{{"type", "input_file"}, {"file_data", pixels}}
}

// eager is a policy that prunes whatever is old: nothing is cheaper to keep.
func eager(changes ...func(*configv1.Prune)) *prune.Pruner {
	one := 1.0
	cfg := &configv1.Prune{
		Enabled: new(true), BudgetTokens: proto.Int32(0), KeepLastRounds: proto.Int32(1), MinSavingsTokens: proto.Int32(0),
		CachedReadRatio: &one, CacheWriteRatio: &one,
	}
	for _, change := range changes {
		change(cfg)
	}
	return prune.New(cfg)
}

// plan reads a body and plans it.
func plan(tb testing.TB, p *prune.Pruner, api conversation.API, body []byte) (prune.Plan, []byte) {
	tb.Helper()
	req, err := conversation.Read(api, body)
	require.NoError(tb, err)
	made := p.Plan(req)
	return made, conversation.Apply(body, made.Edits)
}

// rounds is a talk of so many rounds of one call each, after a human's request.
func rounds(results ...string) talk {
	made := make(talk, 1, 1+len(results))
	made[0] = turn{human: "fix it"}
	for i, text := range results {
		made = append(made, turn{says: fmt.Sprint("step ", i), results: []toolResult{{tool: "bash", text: text}}})
	}
	return made
}

// contents are the texts of a Chat body's tool messages.
func contents(tb testing.TB, body []byte) []string {
	tb.Helper()
	var request struct {
		Messages []struct {
			Role    string `json:"role"`
			Content any    `json:"content"`
		} `json:"messages"`
	}
	require.NoError(tb, json.Unmarshal(body, &request))
	var texts []string
	for _, message := range request.Messages {
		if text, ok := message.Content.(string); ok && message.Role == "tool" {
			texts = append(texts, text)
		}
	}
	return texts
}
