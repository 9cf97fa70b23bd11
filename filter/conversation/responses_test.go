package conversation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

func readResponses(t *testing.T, body string) *conversation.Request {
	t.Helper()
	req, err := conversation.Read(conversation.OpenAIResponses, []byte(body))
	require.NoError(t, err)
	return req
}

// items is a body of Responses with the given items.
func items(list string) string { return `{"model":"auto","input":[` + list + `]}` }

const responsesSession = `{
  "model": "auto",
  "instructions": "You are an agent.",
  "input": [
    {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Sandbox is on."}]},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment_context>cwd</environment_context>"}]},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Why does the build fail?"}]},
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Look."}], "encrypted_content": "gAAAAAB"},
    {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "shell", "arguments": "{\"cmd\":\"make\"}"},
    {"type": "custom_tool_call", "call_id": "call_2", "name": "apply_patch", "input": "*** Begin"},
    {"type": "function_call_output", "call_id": "call_1", "output": "undefined: x"},
    {"type": "custom_tool_call_output", "call_id": "call_2", "output": [{"type": "input_text", "text": "Done"}]},
    {"type": "message", "role": "assistant", "id": "msg_1", "status": "completed",
     "content": [{"type": "output_text", "text": "It is x.", "annotations": []}]},
    {"type": "message", "role": "user", "content": [
      {"type": "input_text", "text": "ok fix it"},
      {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,AAAA"},
      {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"}]}
  ],
  "tools": [{"type": "function", "name": "shell", "parameters": {}, "strict": false}],
  "max_output_tokens": 512,
  "text": {"format": {"type": "json_schema", "name": "x", "schema": {"type": "object"}}},
  "include": ["reasoning.encrypted_content"],
  "prompt_cache_key": "session-1",
  "store": false,
  "stream": true
}`

func TestReadResponsesFindsTheFactsOfAnAgentSession(t *testing.T) {
	t.Parallel()
	req := readResponses(t, responsesSession)
	assert.Equal(t, "auto", req.Model)
	assert.True(t, req.Stream)
	assert.Equal(t, 512, req.RequestedOutput)
	assert.Equal(t, 1, req.ToolCount)
	assert.Equal(t, 2, req.ToolResults())
	assert.Equal(t, 2, req.HumanTurns())
	assert.Equal(t, []string{"tools", "vision", "documents", "json_schema", "sealed_reasoning"}, req.Needs.Names())
	assert.Empty(t, req.HeldState)
	assert.False(t, req.AnyWindow)
	assert.Equal(t, facts{Model: "auto", Tools: 1, Turns: []turnFacts{
		{Role: "system", Own: []string{"You are an agent."}},
		{Role: "system", Own: []string{"Sandbox is on."}},
		{Role: "user", Own: []string{"<environment_context>cwd</environment_context>"}},
		{Role: "user", Own: []string{"Why does the build fail?"}},
		{Role: "assistant"},
		{Role: "assistant", Calls: []string{"call_1 shell"}},
		{Role: "assistant", Calls: []string{"call_2 apply_patch"}},
		{Role: "tool", Results: []string{"call_1"}, ResultTexts: []string{"undefined: x"}},
		{Role: "tool", Results: []string{"call_2"}, ResultTexts: []string{"Done"}},
		{Role: "assistant", Own: []string{"It is x."}},
		{Role: "user", Own: []string{"ok fix it"}, Images: 1, Documents: 1},
	}}, read(t, req))
	assert.Equal(t, "ok fix it", req.HumanTurn().Text)
	assert.Equal(t, "It is x.", req.PriorTurn(never).Text)
	assert.Equal(t, "Why does the build fail?", req.FirstHuman().Text)
}

func TestReadResponsesTakesAStringForAUserTurn(t *testing.T) {
	t.Parallel()
	req := readResponses(t, `{"model":"auto","input":"hello","instructions":"Be brief."}`)
	assert.Equal(t, "hello", req.HumanTurn().Text)
	assert.Empty(t, req.PriorTurn(never), "R2: never instructions")
	assert.Equal(t, `{"model":"m","input":"hello","instructions":"Be brief."}`, string(apply(req, req.SetModel("m"))))
}

func TestReadResponsesTakesMembersInAnyOrder(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]string{
		"type first": `{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]},{"type":"function_call_output","call_id":"c","output":[{"type":"input_image"},{"type":"input_text","text":"a"}]}`,
		"type last":  `{"content":[{"text":"hi","type":"input_text"}],"role":"user","type":"message"},{"output":[{"type":"input_image"},{"text":"a","type":"input_text"}],"call_id":"c","type":"function_call_output"}`,
		"no type":    `{"content":"hi","role":"user"},{"call_id":"c","output":[{"type":"input_image"},{"type":"input_text","text":"a"}],"type":"custom_tool_call_output"}`,
	} {
		req := readResponses(t, items(list))
		assert.Equal(t, []turnFacts{
			{Role: "user", Own: []string{"hi"}},
			{Role: "tool", Results: []string{"c"}, ResultTexts: []string{"a"}, Images: 1},
		}, read(t, req).Turns, name)
		result := req.Blocks(req.Turns[1])[0]
		assert.True(t, strings.HasPrefix(string(req.Body[result.Span.Start:]), `[{"type":"input_image"}`), name)
		assert.Equal(t, 2, result.Parts)
	}
}

func TestReadResponsesSeesWhatAModelMustBeCapableOf(t *testing.T) {
	t.Parallel()
	const hi = `"input":"hi"`
	for name, c := range map[string]struct {
		body, held string
		anyWindow  bool
		want       []string
	}{
		"text":                  {`{` + hi + `}`, "", false, nil},
		"a screenshot":          {items(`{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","image_url":"data:,"}}`), "", false, []string{"vision"}},
		"a picture in a result": {items(`{"type":"function_call_output","output":[{"type":"input_image","image_url":"x"}]}`), "", false, []string{"vision"}},
		"a file by id":          {items(`{"role":"user","content":[{"type":"input_file","file_id":"f"}]}`), "", false, []string{"documents"}},
		"sealed reasoning":      {items(`{"type":"reasoning","summary":[],"encrypted_content":"AA"}`), "", false, []string{"sealed_reasoning"}},
		"open reasoning":        {items(`{"type":"reasoning","summary":[],"encrypted_content":null}`), "", false, nil},
		"sealed compaction":     {items(`{"encrypted_content":"AA","type":"compaction"}`), "", false, []string{"sealed_reasoning"}},
		"sealing asked for":     {`{"include":["message.output_text.logprobs","reasoning.encrypted_content"],` + hi + `}`, "", false, []string{"sealed_reasoning"}},
		"something else":        {`{"include":["file_search_call.results"],` + hi + `}`, "", false, nil},
		"compaction asked for":  {`{"context_management":[{"type":"compaction","compact_threshold":9}],` + hi + `}`, "", false, []string{"sealed_reasoning"}},
		"a schema":              {`{"text":{"format":{"type":"json_schema","schema":{}}},` + hi + `}`, "", false, []string{"json_schema"}},
		"a response before":     {`{"previous_response_id":"resp_1",` + hi + `}`, "previous_response_id", true, []string{"held_state"}},
		"a conversation":        {`{"conversation":{"id":"conv_1"},` + hi + `}`, "conversation", true, []string{"held_state"}},
		"one by its name":       {`{"conversation":"conv_1"}`, "conversation", true, []string{"held_state"}},
		"a prompt":              {`{"prompt":{"id":"pmpt_1"}}`, "prompt", true, []string{"held_state"}},
		"an item":               {items(`{"type":"item_reference","id":"i"},{"role":"user","content":"hi"}`), "input", true, []string{"held_state"}},
		"an item without type":  {items(`{"id":"i"}`), "input", true, []string{"held_state"}},
		"nothing held":          {`{"previous_response_id":null,"conversation":null,"prompt":null,` + hi + `}`, "", false, nil},
		"what is long is cut":   {`{"truncation":"auto",` + hi + `}`, "", true, nil},
		"what is long is not":   {`{"truncation":"disabled",` + hi + `}`, "", false, nil},
	} {
		req := readResponses(t, c.body)
		assert.Equal(t, c.want, req.Needs.Names(), name)
		assert.Equal(t, c.held, req.HeldState, name)
		assert.Equal(t, c.anyWindow, req.AnyWindow, name)
	}
}

func TestReadResponsesCarriesOtherItems(t *testing.T) {
	t.Parallel()
	for kind, role := range map[string]string{
		"web_search_call": "assistant", "computer_call": "assistant", "local_shell_call": "assistant", "local_shell_call_output": "tool",
		"shell_call_output": "tool", "apply_patch_call_output": "tool", "mcp_list_tools": "", "hologram": "", "image_generation_call": "assistant",
	} {
		req := readResponses(t, items(`{"type":"`+kind+`","output":[{"a":1,"a":2}],"result":"x"},{"role":"user","content":"hi"}`))
		assert.Equal(t, []turnFacts{{Role: role}, {Role: "user", Own: []string{"hi"}}}, read(t, req).Turns, kind)
		assert.Len(t, req.Blocks(req.Turns[0]), 1, kind)
	}
}

func TestEstimateOfResponses_R5_CountsMediaAndNeverBase64AsText(t *testing.T) {
	t.Parallel()
	base64 := strings.Repeat("QUJD", 300_000) // 1.2 MB
	text := strings.Repeat("word ", 8000)
	for name, c := range map[string]struct {
		item      string
		low, high int
	}{
		"image":             {`{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,` + base64 + `"}]}`, 1600, 1610},
		"file":              {`{"role":"user","content":[{"type":"input_file","file_data":"` + base64 + `"}]}`, 40_000, 40_010},
		"screenshot":        {`{"type":"computer_call_output","output":{"image_url":"` + base64 + `"}}`, 1600, 1610},
		"generated picture": {`{"type":"image_generation_call","result":"` + base64 + `"}`, 1600, 1610},
		"sealed reasoning":  {`{"type":"reasoning","summary":[],"encrypted_content":"` + base64 + `"}`, 40_000, 40_100},
		"text":              {`{"role":"user","content":"` + text + `"}`, 10_000, 10_010},
		"a result":          {`{"type":"function_call_output","call_id":"c","output":"` + text + `"}`, 10_000, 10_010},
		"a call":            {`{"type":"function_call","arguments":"` + text + `"}`, 13_333, 13_400},
	} {
		got := readResponses(t, items(c.item)).Tokens
		assert.GreaterOrEqual(t, got, c.low, name)
		assert.LessOrEqual(t, got, c.high, name)
	}
}

func TestReadResponsesRefusesWhatIsMalformedOrAmbiguous(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, message, param string }{
		"input missing":         {`{"model":"auto"}`, "`input` is missing: send a string or an array of items", "input"},
		"input null":            {`{"input":null}`, "`input` is missing: send a string or an array of items", "input"},
		"input a number":        {`{"input":7}`, "`input` must be a string or an array of items", "input"},
		"input an object":       {`{"input":{}}`, "`input` must be a string or an array of items", "input"},
		"an item of a string":   {items(`{},"hi"`), "input[1] must be an object", "input"},
		"role twice":            {items(`{"role":"user","role":"system","content":"hi"}`), `the name "role" stands twice in an item`, "input"},
		"output twice":          {items(`{"type":"function_call_output","output":"a","output":"b"}`), `the name "output" stands twice in an item`, "input"},
		"a part's name twice":   {items(`{"content":[{"type":"input_text","text":"a","text":"b"}],"role":"user"}`), `the name "text" stands twice in a content block`, "input"},
		"an output's part":      {items(`{"output":[{"text":"a","text":"b"}],"type":"function_call_output"}`), `the name "text" stands twice in a content block`, "input"},
		"instructions twice":    {`{"instructions":"a","input":"x","instructions":"b"}`, `the name "instructions" stands twice in the body`, ""},
		"cut off":               {`{"input":[{"role":"us`, "the body is not valid JSON: it ends too early", "input"},
		"messages of no object": {`{"messages":[7]}`, "messages[0] must be an object", "messages"},
	} {
		_, err := conversation.Read(conversation.OpenAIResponses, []byte(c.body))
		var malformed *conversation.MalformedError
		if assert.ErrorAs(t, err, &malformed, name) {
			assert.Equal(t, c.message, malformed.Message, name)
			assert.Equal(t, c.param, malformed.Param, name)
		}
	}
}

func TestReadResponsesRefusesBodiesThatWouldTakeManyTimesTheirSize(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]string{
		"items":   strings.Repeat(`{},`, 200_000) + `{}`,
		"parts":   `{"content":[` + strings.Repeat(`0,`, 200_000) + `0],"role":"user"}`,
		"outputs": `{"type":"function_call_output","output":[` + strings.Repeat(`{},`, 200_000) + `{}]}`,
	} {
		_, err := conversation.Read(conversation.OpenAIResponses, []byte(items(list)))
		assert.ErrorContains(t, err, "the body is too finely divided", name)
	}
}

func TestReadTellsOpenAIsAPIsApartByTheBody(t *testing.T) {
	t.Parallel()
	chat := readResponses(t, agentSession)
	assert.Equal(t, conversation.OpenAIResponses, chat.API, "the path's")
	assert.Equal(t, read(t, readChat(t, agentSession)), read(t, chat))
	assert.Equal(t, 512, chat.RequestedOutput)

	responses := readChat(t, responsesSession)
	assert.Equal(t, conversation.OpenAIChat, responses.API, "the path's")
	assert.Equal(t, read(t, readResponses(t, responsesSession)), read(t, responses))
	assert.Equal(t, readResponses(t, responsesSession).Needs, responses.Needs)
	assert.Equal(t, readResponses(t, responsesSession).Tokens, responses.Tokens)

	both := `{"model":"auto","messages":[{"role":"user","content":"a"}],"input":"b"}`
	assert.Equal(t, "a", readChat(t, both).HumanTurn().Text)
	assert.Equal(t, "b", readResponses(t, both).HumanTurn().Text)
}
