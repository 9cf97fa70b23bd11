package replay

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

func parsed(t *testing.T, line string) *session {
	t.Helper()
	s, err := parse([]byte(line))
	require.NoError(t, err)
	return s
}

const rounds = `{"role": "user", "content": "hi"},
	{"role": "assistant", "content": "a", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
	{"role": "tool", "tool_call_id": "1", "content": "one"}, {"role": "assistant", "content": "b"}`

func TestParse_ARequestIsSentAsClientsWriteIt(t *testing.T) {
	t.Parallel()
	s := parsed(t, `{"session": "s", "_seen": 1, "label": "x", "tools": [ {"type": "function"} ], "messages": [
		{"_usage": {"a": 1}, "role": "user", "x": 1.0, "content": "\u00e9 \ud83d <b>", "_n": 2},
		{"content": "b", "_": 0, "role": "assistant" , "n": 12345678901234567890}]}`)
	assert.Equal(t, "s", s.name)
	assert.Equal(t, []int{1}, s.calls)
	assert.Equal(t, `{"model":"auto","tools":[{"type":"function"}],"messages":[`+
		`{"role":"user","x":1.0,"content":"\u00e9 \ud83d <b>"},{"content":"b","role":"assistant","n":12345678901234567890}]}`,
		string(s.body(nil, []byte(`"auto"`), 2)))
	assert.Equal(t, `{"model":"m","tools":[{"type":"function"}],"messages":[]}`, string(s.body(nil, []byte(`"m"`), 0)))
}

func TestParse_AModelCallIsARunOfAssistantTurns(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]int{
		`{"messages": [` + rounds + `]}`:                                            {1, 3},
		`{"messages": [{"role": "assistant", "content": "hello"}, ` + rounds + `]}`: {2, 4},
		`{"messages": [{"role": "user", "content": "a"}]}`:                          nil,
		`{"messages": []}`: nil,
		`{"messages": [{"role":"user","content":"a"},{"role":"assistant"},{"role":"assistant"},{"role":"user"}]}`: {1},
		`{"input": [{"role": "user", "content": "a"}, {"type": "reasoning", "id": "r", "summary": []},
			{"type": "message", "role": "assistant", "content": "b"}, {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
			{"type": "function_call_output", "call_id": "1", "output": "x"}, {"role": "assistant", "content": "c"}]}`: {1, 5},
		`{"system": "be brief", "messages": [{"role": "user", "content": "a"},
			{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}]},
			{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "x"}]},
			{"role": "assistant", "content": "b"}]}`: {1, 3},
	} {
		assert.Equal(t, want, parsed(t, line).calls, line)
	}
}

func TestParse_TellsTheAPIByItsShape(t *testing.T) {
	t.Parallel()
	const (
		chat      = conversation.OpenAIChat
		responses = conversation.OpenAIResponses
		anthropic = conversation.AnthropicMessages
	)
	for line, want := range map[string]conversation.API{
		`{"messages": [{"role": "user", "content": "a"}]}`:                                                               chat,
		`{"messages": [` + rounds + `]}`:                                                                                 chat,
		`{"api": "anthropic_messages", "messages": [{"role": "user", "content": "a"}]}`:                                  anthropic,
		`{"system": "s", "messages": [{"role": "user", "content": "a"}]}`:                                                anthropic,
		`{"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}]}]}`:  anthropic,
		`{"messages": [{"role": "assistant", "content": [{"type": "text", "text": "a"}]}]}`:                              chat,
		`{"input": [{"role": "user", "content": "a"}]}`:                                                                  responses,
		`{"messages": [{"type": "message", "role": "user", "content": "a"}, {"type": "function_call", "call_id": "1"}]}`: responses,
		`{"api": "openai_responses", "messages": [{"role": "user", "content": "a"}]}`:                                    responses,
	} {
		s := parsed(t, line)
		assert.Equal(t, want, s.api, line)
		_, err := conversation.Read(s.api, s.body(nil, []byte(`"m"`), len(s.pieces)))
		require.NoError(t, err, line)
	}
}

func TestParse_SaysWhatIsWrongWithALine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`[]`:                               `not a session: must be an object with "session" and "messages"`,
		`x`:                                `not a session: must be an object with "session" and "messages"`,
		`{"session": "a"}`:                 `not a session: "messages" is missing ("input" for Responses)`,
		`{"messages": "a"}`:                `not a session: "messages" must be an array`,
		`{"messages": ["a"]}`:              `messages[0]: must be an object`,
		`{"messages": [], "input": []}`:    `not a session: "messages" and "input" are both there`,
		`{"messages": [{}, 1]}`:            `messages[1]: must be an object`,
		`{"messages": [`:                   "not a session: unexpected EOF (at byte 14)",
		`{"messages": [] x`:                "not a session: invalid character 'x' after object value (expecting ',' or '}') (at byte 16)",
		`{"messages": []}{"messages": []}`: "not a session: something follows it (at byte 16)",
		`{"messages": []} x`:               "not a session: something follows it (at byte 16)",
		`{"api": "chat", "messages": []}`:  `api: must be openai_chat_completions, openai_responses or anthropic_messages (is "chat")`,
		`{"messages": [{"role": "user", "role": "tool"}]}`: `the name "role" stands twice in a message`,
	} {
		_, err := parse([]byte(line))
		require.ErrorContains(t, err, want, line)
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{
		`{"messages": [` + rounds + `]}`, `{"input": [{"type": "function_call_output", "output": ["a"]}]}`, `{"messages": [{"_a": 1}]}`,
		`{"system": [], "messages": [{"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text"}]}]}]}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		s, err := parse(line)
		if err != nil {
			return
		}
		body := s.body(nil, []byte(`"m"`), len(s.pieces))
		if _, err = conversation.Read(s.api, body); err != nil {
			t.Fatalf("%s\nbecomes %s\n%v", line, body, err)
		}
		l := &liveSession{history: newHistory(s)}
		pieces, err := l.split(body, len(s.pieces))
		if len(s.pieces) > 0 && (err != nil || l.changed(pieces)) {
			t.Fatalf("%s is not taken apart again: %v", body, err)
		}
	})
}
