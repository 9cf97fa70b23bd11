package conversation_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

// What the reader says of a body is what the official client libraries' own
// request types make of it.
func TestReadAgreesWithTheOfficialLibraries(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		w := writer{rand.New(rand.NewPCG(seed, 1))}
		conversation := w.conversation()
		for api, body := range map[string]string{
			"chat": w.chat(conversation), "responses": w.responses(conversation), "messages": w.messages(conversation),
		} {
			agree(t, api, body)
			require.False(t, t.Failed(), "seed %d, %s:\n%s", seed, api, body)
		}
	}
}

func TestReadAgreesWithTheOfficialLibrariesOnExamples(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"chat agent":         agentSession,
		"responses agent":    responsesSession,
		"messages agent":     messagesSession,
		"responses string":   `{"model":"auto","input":"Tell me of the sea."}`,
		"messages string":    `{"model":"auto","max_tokens":10,"messages":[{"role":"user","content":"Tell me of the sea."}]}`,
		"messages, one turn": `{"model":"auto","max_tokens":10,"system":"Be brief.","messages":[{"role":"user","content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]}]}`,
	} {
		api, _, _ := strings.Cut(strings.ReplaceAll(name, ",", ""), " ")
		agree(t, api, body)
	}
}

func agree(t *testing.T, api, body string) {
	t.Helper()
	spoken, params := conversation.OpenAIChat, any(&openai.ChatCompletionNewParams{})
	switch api {
	case "responses":
		spoken, params = conversation.OpenAIResponses, &responses.ResponseNewParams{}
	case "messages":
		spoken, params = conversation.AnthropicMessages, &anthropic.MessageNewParams{}
	}
	req, err := conversation.Read(spoken, []byte(body))
	require.NoError(t, err, body)
	require.NoError(t, json.Unmarshal([]byte(body), params))
	understood, err := json.Marshal(params)
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(expected(spoken, understood), read(t, req)), "%s: the library understood %s", api, understood)
}

// said is a turn of a generated conversation.
type said struct {
	role, text string
	image      bool
	calls      []string // ids
	results    []string // texts, one for each call of the turn before
}

// writer writes generated conversations in the APIs' own words, with the
// members of every object in any order.
type writer struct{ *rand.Rand }

func (w writer) conversation() []said {
	var turns []said
	for i := range 1 + w.IntN(6) {
		turns = append(turns, said{role: "user", text: w.text(), image: w.IntN(4) == 0})
		for w.IntN(2) == 0 {
			round := said{role: "assistant", text: w.text()}
			answer := said{role: "tool"}
			for call := range 1 + w.IntN(3) {
				round.calls = append(round.calls, fmt.Sprintf("call_%d_%d_%d", i, len(turns), call))
				answer.results = append(answer.results, w.text())
			}
			turns = append(turns, round, answer)
		}
		turns = append(turns, said{role: "assistant", text: w.text()})
	}
	return turns
}

func (w writer) text() string {
	return []string{"hello", "fix it", "a \"quoted\" \\ line\nand another", "你好，世界", "<system-reminder>x</system-reminder>y", "{\"a\":1}", "\u2028é😀"}[w.IntN(7)]
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// object writes members in any order.
func (w writer) object(members ...string) string {
	w.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, " , ") + "}"
}

func member(name, value string) string { return quote(name) + ": " + value }

// block writes a text of one type, or only the string.
func (w writer) texts(kind, text string) string {
	if w.IntN(3) == 0 {
		return quote(text)
	}
	return "[" + w.object(member("type", quote(kind)), member("text", quote(text))) + "]"
}

func (w writer) chat(turns []said) string {
	messages := []string{w.object(member("role", `"system"`), member("content", w.texts("text", "Be brief.")))}
	var calls []string
	for _, turn := range turns {
		members := []string{member("role", quote(turn.role))}
		switch {
		case turn.role == "tool":
			for i, result := range turn.results {
				messages = append(messages, w.object(member("role", `"tool"`),
					member("tool_call_id", quote(calls[i])), member("content", w.texts("text", result))))
			}
			continue
		case turn.image:
			members = append(members, member("content", "["+w.object(member("type", `"text"`), member("text", quote(turn.text)))+","+
				w.object(member("type", `"image_url"`), member("image_url", `{"url":"data:image/png;base64,AAAA"}`))+"]"))
		default:
			members = append(members, member("content", w.texts("text", turn.text)))
		}
		if len(turn.calls) > 0 {
			members = append(members, member("tool_calls", "["+w.each(turn.calls, func(id string) string {
				return w.object(member("id", quote(id)), member("type", `"function"`),
					member("function", w.object(member("name", `"run"`), member("arguments", `"{}"`))))
			})+"]"))
			calls = turn.calls
		}
		messages = append(messages, w.object(members...))
	}
	return w.object(member("model", `"auto"`), member("messages", "["+strings.Join(messages, ",")+"]"),
		member("tools", `[{"type":"function","function":{"name":"run"}}]`))
}

func (w writer) each(elements []string, write func(string) string) string {
	written := make([]string, len(elements))
	for i, element := range elements {
		written[i] = write(element)
	}
	return strings.Join(written, ",")
}

func (w writer) responses(turns []said) string {
	var items, calls []string
	for _, turn := range turns {
		if turn.role == "tool" {
			for i, result := range turn.results {
				items = append(items, w.object(member("type", `"function_call_output"`),
					member("call_id", quote(calls[i])), member("output", w.texts("input_text", result))))
			}
			continue
		}
		content := w.texts("input_text", turn.text)
		if turn.role == "assistant" {
			content = "[" + w.object(member("type", `"output_text"`), member("text", quote(turn.text)), member("annotations", "[]")) + "]"
		} else if turn.image {
			content = "[" + w.object(member("type", `"input_text"`), member("text", quote(turn.text))) + "," +
				w.object(member("type", `"input_image"`), member("detail", `"auto"`), member("image_url", `"data:image/png;base64,AAAA"`)) + "]"
		}
		items = append(items, w.object(member("type", `"message"`), member("role", quote(turn.role)), member("content", content)))
		for _, id := range turn.calls {
			items = append(items, w.object(member("type", `"function_call"`), member("call_id", quote(id)),
				member("name", `"run"`), member("arguments", `"{}"`)))
		}
		calls = turn.calls
	}
	return w.object(member("model", `"auto"`), member("instructions", `"Be brief."`), member("input", "["+strings.Join(items, ",")+"]"),
		member("tools", `[{"type":"function","name":"run","parameters":{},"strict":true}]`))
}

func (w writer) messages(turns []said) string {
	var calls []string
	messages := make([]string, 0, len(turns))
	for _, turn := range turns {
		var blocks []string
		if turn.role != "tool" {
			blocks = append(blocks, w.object(member("type", `"text"`), member("text", quote(turn.text))))
		}
		if turn.image {
			blocks = append(blocks, w.object(member("type", `"image"`),
				member("source", w.object(member("type", `"base64"`), member("media_type", `"image/png"`), member("data", `"AAAA"`)))))
		}
		for _, id := range turn.calls {
			blocks = append(blocks, w.object(member("type", `"tool_use"`), member("id", quote(id)), member("name", `"run"`), member("input", "{}")))
		}
		for i, result := range turn.results {
			blocks = append(blocks, w.object(member("type", `"tool_result"`), member("tool_use_id", quote(calls[i])),
				member("is_error", "false"), member("content", w.texts("text", result))))
		}
		calls = turn.calls
		role := turn.role
		if role == "tool" {
			role = "user"
		}
		messages = append(messages, w.object(member("role", quote(role)), member("content", "["+strings.Join(blocks, ",")+"]")))
	}
	return w.object(member("model", `"auto"`), member("max_tokens", "100"), member("system", w.texts("text", "Be brief.")),
		member("messages", "["+strings.Join(messages, ",")+"]"), member("tools", `[{"name":"run","input_schema":{"type":"object"}}]`))
}
