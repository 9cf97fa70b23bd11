package conversation_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

func readChat(t *testing.T, body string) *conversation.Request {
	t.Helper()
	req, err := conversation.Read(conversation.OpenAIChat, []byte(body))
	require.NoError(t, err)
	return req
}

// userTurn is a body with the given content of a user message.
func userTurn(content string) string {
	return `{"model":"auto","messages":[{"role":"user","content":` + content + `}]}`
}

func never(string) bool { return false }

const agentSession = `{
  "model": "auto",
  "messages": [
    {"role": "system", "content": "You are an agent."},
    {"role": "user", "content": "Why does the build fail?"},
    {"role": "assistant", "content": null, "tool_calls": [
      {"id": "call_1", "type": "function", "function": {"name": "shell", "arguments": "{\"cmd\":\"make\"}"}},
      {"id": "call_2", "type": "custom", "custom": {"name": "grep", "input": "err"}}]},
    {"role": "tool", "tool_call_id": "call_1", "content": "undefined: x"},
    {"tool_call_id": "call_2", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "data:,"}}], "role": "tool"},
    {"role": "user", "content": "ok fix it"}
  ],
  "tools": [{"type": "function", "function": {"name": "shell"}}, {"type": "custom", "custom": {"name": "grep"}}],
  "max_completion_tokens": 512, "max_tokens": 9,
  "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}},
  "stream": true
}`

func TestReadFindsTheFactsOfAnAgentSession(t *testing.T) {
	t.Parallel()
	req := readChat(t, agentSession)

	assert.Equal(t, "auto", req.Model)
	assert.True(t, req.HasModel)
	assert.True(t, req.Stream)
	assert.Equal(t, 512, req.RequestedOutput, "max_completion_tokens stands above its older name")
	assert.Equal(t, 2, req.ToolCount)
	assert.Equal(t, 2, req.ToolResults())
	assert.Equal(t, 2, req.HumanTurns())
	assert.Equal(t, []string{"tools", "vision", "json_schema"}, req.Needs.Names())

	roles := make([]conversation.Role, 0, len(req.Turns))
	for _, turn := range req.Turns {
		roles = append(roles, turn.Role)
	}
	assert.Equal(t, []conversation.Role{
		conversation.System, conversation.User, conversation.Assistant,
		conversation.Tool, conversation.Tool, conversation.User,
	}, roles)
}

func TestReadPairsCallsWithResults(t *testing.T) {
	t.Parallel()
	req := readChat(t, agentSession)
	text := func(s conversation.Span) string { return string(req.Body[s.Start:s.End]) }

	calls := req.Blocks(req.Turns[2])
	require.Len(t, calls, 2)
	assert.Equal(t, `"call_1"`, text(calls[0].ID))
	assert.Equal(t, `"shell"`, text(calls[0].Name))
	assert.Equal(t, `"call_2"`, text(calls[1].ID))
	assert.Equal(t, `"grep"`, text(calls[1].Name))

	plain := req.Blocks(req.Turns[3])
	require.Len(t, plain, 2)
	assert.Equal(t, conversation.ToolResult, plain[0].Kind)
	assert.Equal(t, `"call_1"`, text(plain[0].ID))
	assert.Equal(t, `"undefined: x"`, text(plain[0].Span))
	assert.Equal(t, 1, plain[0].Parts)

	blocks := req.Blocks(req.Turns[4])
	require.Len(t, blocks, 3)
	assert.Equal(t, 2, blocks[0].Parts)
	assert.Equal(t, conversation.Text, blocks[1].Kind)
	assert.Equal(t, conversation.Image, blocks[2].Kind)
	assert.Equal(t, blocks[0].Tokens, blocks[1].Tokens+blocks[2].Tokens)
}

func TestReadSpansHoldWhatTheySay(t *testing.T) {
	t.Parallel()
	req := readChat(t, agentSession)
	for _, turn := range req.Turns {
		var message struct {
			Role string `json:"role"`
		}
		require.NoError(t, json.Unmarshal(req.Body[turn.Span.Start:turn.Span.End], &message))
		assert.NotEmpty(t, message.Role)
		for _, block := range req.Blocks(turn) {
			assert.True(t, json.Valid(req.Body[block.Span.Start:block.Span.End]))
		}
	}
}

func TestHumanTurn_R1_IsTheHumansAlsoWhenToolResultsFollow(t *testing.T) {
	t.Parallel()
	req := readChat(t, `{"model":"auto","messages":[
		{"role":"user","content":"hello"},
		{"role":"assistant","content":"Hi. What shall I do?"},
		{"role":"user","content":"fix the build"},
		{"role":"assistant","content":"Looking.","tool_calls":[{"id":"1","function":{"name":"sh","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"1","content":"a long and clever proof that P is not NP"}]}`)
	assert.Equal(t, "fix the build", req.HumanTurn().Text)
	assert.Equal(t, "Hi. What shall I do?", req.PriorTurn(never).Text)
	assert.Equal(t, "hello", req.FirstHuman().Text)
}

func TestPriorTurn_R1_IsNeverToolOutput(t *testing.T) {
	t.Parallel()
	req := readChat(t, agentSession)
	assert.Equal(t, "ok fix it", req.HumanTurn().Text)
	assert.Equal(t, "Why does the build fail?", req.PriorTurn(never).Text)
}

func TestPriorTurn_R2_IsNeverSystemText(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"system", "developer"} {
		req := readChat(t, `{"messages":[{"role":"`+role+`","content":"Be brief."},{"role":"user","content":"hi"}]}`)
		assert.Equal(t, "hi", req.HumanTurn().Text)
		assert.Empty(t, req.PriorTurn(never), role)
	}
}

func TestPriorTurnPassesOverAcknowledgements(t *testing.T) {
	t.Parallel()
	req := readChat(t, `{"messages":[
		{"role":"user","content":"design a lease-based lock"},
		{"role":"assistant","content":"Sure."},
		{"role":"user","content":"go on"}]}`)
	prior := req.PriorTurn(func(text string) bool { return text == "Sure." })
	assert.Equal(t, "design a lease-based lock", prior.Text)
}

func TestHumanTurnLeavesOutWhatClientsPutIn(t *testing.T) {
	t.Parallel()
	const reminder = `<system-reminder>\nDo not mention this.\n</system-reminder>`
	for name, c := range map[string]struct{ content, want string }{
		"before":          {`"` + reminder + `fix it"`, "fix it"},
		"behind":          {`"fix it` + reminder + `"`, "fix it"},
		"within":          {`"fix` + reminder + ` it"`, "fix\n it"},
		"a block of it":   {`[{"type":"text","text":"` + reminder + `"},{"type":"text","text":"fix it"}]`, "fix it"},
		"escaped":         {`"\u003csystem-reminder\u003ex\u003c/system-reminder\u003efix it"`, "fix it"},
		"escaped slash":   {`"<system-reminder>x<\/system-reminder>fix it"`, "fix it"},
		"two kinds":       {`"<environment_context>a</environment_context><system-reminder>b</system-reminder>fix it"`, "fix it"},
		"never closed":    {`"<system-reminder> fix it"`, "<system-reminder> fix it"},
		"only mentioned":  {`"what is a system-reminder?"`, "what is a system-reminder?"},
		"closed, no open": {`"</system-reminder>fix it"`, "</system-reminder>fix it"},
		"code of escapes": {
			`"x\\u003csystem-reminder>fix\\\u003c/system-reminder> it\\\\u003c/system-reminder>"`,
			`x\u003csystem-reminder>fix\</system-reminder> it\\u003c/system-reminder>`,
		},
		"behind a backslash": {`"x\\\u003csystem-reminder>y\\</system-reminder>fix it"`, "x\\\nfix it"},
	} {
		assert.Equal(t, c.want, readChat(t, userTurn(c.content)).HumanTurn().Text, name)
	}
	assert.Empty(t, readChat(t, userTurn(`"`+reminder+`\n"`)).HumanTurn(), "nothing of the human's own")
}

// Clients that write every member of a union write null for those of the other
// kinds.
func TestReadIsNotMisledByMembersOfOtherKinds(t *testing.T) {
	t.Parallel()
	base64 := strings.Repeat("QUJD", 100_000)
	const nulls = `,"text":null,"refusal":null,"image_url":null,"file":null,"input_audio":null`
	without := func(name string) string { return strings.Replace(nulls, `,"`+name+`":null`, "", 1) }
	text := readChat(t, userTurn(`[{"type":"text","text":"fix it"`+without("text")+`}]`))
	assert.Equal(t, "fix it", text.HumanTurn().Text)
	assert.Equal(t, "no", readChat(t, userTurn(`[{"type":"refusal","refusal":"no"`+without("refusal")+`}]`)).HumanTurn().Text)
	assert.Equal(t, "a", readChat(t, userTurn(`[{"type":"text","text":"a","refusal":"b"}]`)).HumanTurn().Text)
	file := readChat(t, userTurn(`[{"type":"file","file":{"file_data":"`+base64+`"}`+without("file")+`}]`))
	assert.Greater(t, file.Tokens, 13_000)
	call := readChat(t, `{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"sh"},"custom":null,"name":null}]}]}`)
	name := call.Blocks(call.Turns[0])[0].Name
	assert.Equal(t, `"sh"`, string(call.Body[name.Start:name.End]))
}

func TestHumanTurnBoundsLongTextAtBothEnds(t *testing.T) {
	t.Parallel()
	long := "begin" + strings.Repeat(`ä\n\ud83d\ude00\\`, 100_000) + "end"
	turn := readChat(t, userTurn(`"`+long+`"`)).HumanTurn()
	assert.Equal(t, 400_008, turn.Chars)
	assert.Less(t, len(turn.Text), 20_000)
	assert.True(t, strings.HasPrefix(turn.Text, "begin"))
	assert.True(t, strings.HasSuffix(turn.Text, "end"))
	assert.Equal(t, -1, strings.IndexRune(turn.Text, '\uFFFD'), "a character is cut")
}

func TestReadCarriesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"unknown role":          `{"messages":[{"role":"critic","content":"x"}]}`,
		"no role":               `{"messages":[{"content":"x"}]}`,
		"role of another type":  `{"messages":[{"role":7,"content":"x"}]}`,
		"unknown block":         userTurn(`[{"type":"hologram","data":{"a":[1]}}]`),
		"block without type":    userTurn(`[{"text":"x"}]`),
		"content of a number":   userTurn(`7`),
		"content of an object":  userTurn(`{"type":"text","text":"x"}`),
		"null content":          userTurn(`null`),
		"block of null":         userTurn(`[null,"x",3]`),
		"text of another type":  userTurn(`[{"type":"text","text":{"a":1}}]`),
		"tool calls of null":    `{"messages":[{"role":"assistant","tool_calls":null}]}`,
		"result without id":     `{"messages":[{"role":"tool"}]}`,
		"tools of null":         `{"messages":[],"tools":null}`,
		"no messages at all":    `{"messages":[]}`,
		"lone surrogate":        userTurn(`"cut \ud83d off"`),
		"duplicates elsewhere":  `{"messages":[],"metadata":{"a":1,"a":2},"tools":[{"a":1,"a":2}]}`,
		"numbers of any size":   `{"messages":[],"seed":12345678901234567890,"temperature":1.0,"x":-0e-999}`,
		"escaped name":          `{"mess\u0061ges":[{"rol\u0065":"user","content":"x"}]}`,
		"white space all about": " \t\r\n{ \"messages\" : [ ] }\n\n",
	} {
		_, err := conversation.Read(conversation.OpenAIChat, []byte(body))
		assert.NoError(t, err, name)
	}
}

func TestReadRefusesWhatIsMalformedOrAmbiguous(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body, message, param string
		offset               int
	}{
		"nothing":           {"", "the body is empty; send a JSON object", "", 0},
		"white space":       {" \n", "the body is empty; send a JSON object", "", 0},
		"an array":          {"[]", "the body must be a JSON object", "", 0},
		"a string":          {`"x"`, "the body must be a JSON object", "", 0},
		"no JSON":           {"hello", "the body is not valid JSON: invalid character 'h' at start of value", "", 0},
		"cut off":           {`{"model":"auto","messages":[{"role":"us`, "the body is not valid JSON: it ends too early", "messages", 39},
		"two objects":       {`{"messages":[]}{}`, "something follows the JSON object", "", 15},
		"garbage behind":    {`{"messages":[]} x`, "something follows the JSON object", "", 15},
		"byte order mark":   {"\ufeff{}", "the body is not valid JSON: invalid character '\\ufeff' at start of value", "", 0},
		"invalid UTF-8":     {"{\"messages\":[],\"x\":\"\xff\"}", "the body is not valid UTF-8", "", 20},
		"model twice":       {`{"model":"a","messages":[],"model":"b"}`, `the name "model" stands twice in the body`, "", 34},
		"escaped duplicate": {`{"model":"a","mod\u0065l":"b","messages":[]}`, `the name "model" stands twice in the body`, "", 25},
		"role twice":        {`{"messages":[{"role":"user","role":"system"}]}`, `the name "role" stands twice in a message`, "messages", 34},
		"unknown twice":     {`{"messages":[{"role":"user","x":1,"x":1}]}`, `the name "x" stands twice in a message`, "messages", 37},
		"text twice": {
			userTurn(`[{"type":"text","text":"a","text":"b"}]`),
			`the name "text" stands twice in a content block`, "messages", 86,
		},
		"call twice": {
			`{"messages":[{"role":"assistant","tool_calls":[{"id":"a","id":"b"}]}]}`,
			`the name "id" stands twice in a tool call`, "messages", 61,
		},
		"messages missing":      {`{"model":"auto"}`, "`messages` is missing: send an array of messages", "messages", 0},
		"messages null":         {`{"messages":null}`, "`messages` must be an array of messages", "messages", 12},
		"messages an object":    {`{"messages":{}}`, "`messages` must be an array of messages", "messages", 12},
		"a message of a string": {`{"messages":["hi"]}`, "messages[0] must be an object", "messages", 13},
		"a message of a number": {`{"messages":[{},7]}`, "messages[1] must be an object", "messages", 16},
		"control character":     {"{\"messages\":[],\"x\":\"a\x01\"}", "the body is not valid JSON: invalid character '\\x01' in string (expecting non-control character)", "x", 21},
		"single quotes":         {`{'messages':[]}`, "the body is not valid JSON: invalid character '\\'' at start of string (expecting '\"')", "", 1},
		"a comma too many":      {`{"messages":[],}`, "the body is not valid JSON: invalid character '}' at start of string (expecting '\"')", "", 15},
		"NaN":                   {`{"messages":[],"x":NaN}`, "the body is not valid JSON: invalid character 'N' at start of value", "x", 19},
		"a leading zero":        {`{"messages":[],"x":01}`, "the body is not valid JSON: invalid character '1' after object value (expecting ',' or '}')", "", 20},
		"more depth than is sane": {
			`{"messages":[],"x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`,
			"the body is not valid JSON: exceeded max depth", "x", 10_018,
		},
	} {
		_, err := conversation.Read(conversation.OpenAIChat, []byte(c.body))
		var malformed *conversation.MalformedError
		if assert.ErrorAs(t, err, &malformed, name) {
			assert.Equal(t, c.message, malformed.Message, name)
			assert.Equal(t, c.param, malformed.Param, name)
			assert.Equal(t, c.offset, malformed.Offset, name)
		}
	}
}

func TestReadTellsNamesApartInObjectsOfManyNames(t *testing.T) {
	t.Parallel()
	var members strings.Builder
	for i := range 100_000 {
		members.WriteString(`"k` + string(rune('a'+i%26)) + strings.Repeat("x", i%7) + strconv.Itoa(i) + `":1,`)
	}
	_, err := conversation.Read(conversation.OpenAIChat, []byte(`{`+members.String()+`"messages":[]}`))
	require.NoError(t, err)
	_, err = conversation.Read(conversation.OpenAIChat, []byte(`{`+members.String()+`"messages":[],"messages":[]}`))
	assert.ErrorContains(t, err, `the name "messages" stands twice`)
}

func TestReadQuotesLongNamesShortened(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("ä", 100_000)
	for _, body := range []string{`{"` + name + `":NaN}`, `{"` + name + `":1,"` + name + `":1}`} {
		_, err := conversation.Read(conversation.OpenAIChat, []byte(body))
		var malformed *conversation.MalformedError
		require.ErrorAs(t, err, &malformed)
		assert.Less(t, len(malformed.Param)+len(malformed.Message), 300)
	}
}

// What is kept of an empty message or block takes many times its bytes.
func TestReadRefusesBodiesThatWouldTakeManyTimesTheirSize(t *testing.T) {
	t.Parallel()
	parameters := func(count int) string {
		var members strings.Builder
		for i := range count {
			members.WriteString(`"` + strconv.FormatInt(int64(i), 36) + `":0,`)
		}
		return `{` + members.String() + `"messages":[]}`
	}
	messages := func(element string, count int) string {
		return `{"messages":[` + strings.Repeat(element+",", count) + element + `]}`
	}
	for name, body := range map[string]string{
		"messages":   messages(`{}`, 200_000),
		"numbers":    userTurn(`[` + strings.Repeat(`0,`, 200_000) + `0]`),
		"strings":    userTurn(`[` + strings.Repeat(`"",`, 200_000) + `""]`),
		"blocks":     userTurn(`[` + strings.Repeat(`{},`, 200_000) + `{}]`),
		"calls":      `{"messages":[{"tool_calls":[` + strings.Repeat(`{},`, 200_000) + `{}]}]}`,
		"parameters": parameters(400_000),
		"real ones":  messages(`{"role":"user","content":"x"}`, 530_000),
	} {
		_, err := conversation.Read(conversation.OpenAIChat, []byte(body))
		require.ErrorContains(t, err, "the body is too finely divided", name)
	}
	for name, body := range map[string]string{
		"messages":   messages(`{"role":"user","content":"x"}`, 100_000),
		"blocks":     userTurn(`[` + strings.Repeat(`{"type":"text","text":""},`, 200_000) + `{}]`),
		"parameters": parameters(65_000),
		"a result":   `{"messages":[{"role":"tool","content":[` + strings.Repeat(`{"type":"text","text":""},`, 100_000) + `{}]}]}`,
	} {
		_, err := conversation.Read(conversation.OpenAIChat, []byte(body))
		assert.NoError(t, err, name)
	}
}

func TestParameterFindsPathsAndTakesNullForAbsent(t *testing.T) {
	t.Parallel()
	req := readChat(t, `{"messages":[],"logprobs":true,"thinking":{"a":[1],"type":"dis\u0061bled"},"seed":null,"n":1.0}`)
	for path, want := range map[string]string{"logprobs": "true", "thinking.type": "disabled", "n": "1.0"} {
		value, present := req.Parameter(path)
		assert.True(t, present, path)
		assert.Equal(t, want, value, path)
	}
	for _, path := range []string{"seed", "top_p", "thinking.budget", "n.x", "thinking.type.x"} {
		_, present := req.Parameter(path)
		assert.False(t, present, path)
	}
}

func TestRequestedOutputIsALimitOrNone(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int{
		`100`: 100, `1e3`: 1000, `64.0`: 64, `0`: 0, `-5`: 0, `"12"`: 12, `null`: 0, `"x"`: 0, `[]`: 0, `1e999`: 0,
		`99999999999`: 1<<31 - 1,
	} {
		assert.Equal(t, want, readChat(t, `{"messages":[],"max_tokens":`+value+`}`).RequestedOutput, value)
	}
}
