package conversation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

func readMessages(t *testing.T, body string) *conversation.Request {
	t.Helper()
	req, err := conversation.Read(conversation.AnthropicMessages, []byte(body))
	require.NoError(t, err)
	return req
}

// userBlocks is a body of Messages with the given content of a user message.
func userBlocks(content string) string {
	return `{"model":"auto","max_tokens":64,"messages":[{"role":"user","content":` + content + `}]}`
}

const messagesSession = `{
  "model": "auto",
  "max_tokens": 512,
  "system": [{"type": "text", "text": "You are an agent.", "cache_control": {"type": "ephemeral"}}],
  "messages": [
    {"role": "user", "content": "Why does the build fail?"},
    {"role": "assistant", "content": [
      {"type": "thinking", "thinking": "Let me look.", "signature": "c2lnbmF0dXJl"},
      {"type": "text", "text": "Looking."},
      {"type": "tool_use", "id": "toolu_1", "name": "shell", "input": {"cmd": "make"}},
      {"type": "tool_use", "id": "toolu_2", "name": "shot", "input": {}}]},
    {"role": "user", "content": [
      {"type": "tool_result", "tool_use_id": "toolu_1", "content": "undefined: x", "is_error": true},
      {"type": "tool_result", "tool_use_id": "toolu_2", "content": [
        {"type": "text", "text": "a"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}]}]},
    {"role": "assistant", "content": "It is x."},
    {"role": "user", "content": [
      {"type": "text", "text": "ok fix it"},
      {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="}}]}
  ],
  "tools": [{"name": "shell", "input_schema": {"type": "object"}}, {"name": "shot", "input_schema": {"type": "object"}}],
  "metadata": {"user_id": "user_1"},
  "stream": true
}`

func TestReadMessagesFindsTheFactsOfAnAgentSession(t *testing.T) {
	t.Parallel()
	req := readMessages(t, messagesSession)
	assert.Equal(t, "auto", req.Model)
	assert.True(t, req.Stream)
	assert.Equal(t, 512, req.RequestedOutput)
	assert.Equal(t, 2, req.ToolCount)
	assert.Equal(t, 2, req.ToolResults())
	assert.Equal(t, 2, req.HumanTurns())
	assert.Equal(t, []string{"tools", "vision", "documents", "sealed_reasoning"}, req.Needs.Names())
	assert.False(t, req.AnyWindow)
	user, _ := req.Parameter("metadata.user_id")
	assert.Equal(t, "user_1", user)
	assert.Equal(t, facts{Model: "auto", Tools: 2, Turns: []turnFacts{
		{Role: "system", Own: []string{"You are an agent."}},
		{Role: "user", Own: []string{"Why does the build fail?"}},
		{Role: "assistant", Own: []string{"Looking."}, Calls: []string{"toolu_1 shell", "toolu_2 shot"}},
		{Role: "tool", Results: []string{"toolu_1", "toolu_2"}, ResultTexts: []string{"undefined: x", "a"}, Images: 1},
		{Role: "assistant", Own: []string{"It is x."}},
		{Role: "user", Own: []string{"ok fix it"}, Documents: 1},
	}}, read(t, req))
}

func TestReadMessagesSpansOfResultsAreWhatTheToolCameTo(t *testing.T) {
	t.Parallel()
	req := readMessages(t, messagesSession)
	blocks := req.Blocks(req.Turns[3])
	require.Len(t, blocks, 5)
	first, second := blocks[0], blocks[2]
	assert.Equal(t, `"undefined: x"`, string(req.Body[first.Span.Start:first.Span.End]))
	assert.Equal(t, 1, first.Parts)
	assert.True(t, strings.HasPrefix(string(req.Body[second.Span.Start:]), `[
        {"type": "text", "text": "a"}`))
	assert.Equal(t, 2, second.Parts)
	assert.Equal(t, second.Tokens, blocks[3].Tokens+blocks[4].Tokens)
}

func TestReadMessagesTakesMembersInAnyOrder(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"type first":   `[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"a"},{"type":"image","source":{}}]}]`,
		"type last":    `[{"content":[{"text":"a","type":"text"},{"source":{},"type":"image"}],"tool_use_id":"c","type":"tool_result"}]`,
		"type between": `[{"tool_use_id":"c","content": [ {"type":"text","text":"a"} , {"type":"image"} ] ,"is_error":true,"type":"tool_result","cache_control":{}}]`,
	} {
		req := readMessages(t, userBlocks(content))
		assert.Equal(t, []turnFacts{{Role: "tool", Results: []string{"c"}, ResultTexts: []string{"a"}, Images: 1}}, read(t, req).Turns, name)
		assert.True(t, req.Needs.Has(conversation.Vision), name)
		assert.Zero(t, req.HumanTurns(), name)
	}
}

func TestReadMessagesPutsSystemTextFirstWhereverItStands(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"system":"Be brief.","messages":[{"role":"user","content":"hi"}]}`,
		`{"messages":[{"role":"user","content":"hi"}],"system":[{"type":"text","text":"Be brief."}]}`,
	} {
		req := readMessages(t, body)
		assert.Equal(t, []turnFacts{{Role: "system", Own: []string{"Be brief."}}, {Role: "user", Own: []string{"hi"}}}, read(t, req).Turns)
		assert.Empty(t, req.PriorTurn(never), "R2: never system text")
	}
	assert.Len(t, readMessages(t, `{"system":null,"messages":[{"role":"user","content":"hi"}]}`).Turns, 1)
}

func TestHumanTurnOfMessages_R1(t *testing.T) {
	t.Parallel()
	result := `{"type":"tool_result","tool_use_id":"c","content":"Prove that P is not NP."}`
	reminder := `{"type":"text","text":"<system-reminder>be good</system-reminder>"}`
	for name, c := range map[string]struct{ content, human string }{
		"only results":             {`[` + result + `,` + result + `]`, ""},
		"results and a reminder":   {`[` + result + `,` + reminder + `]`, ""},
		"text beside results":      {`[` + result + `,` + reminder + `,{"type":"text","text":"go on"}]`, "go on"},
		"text before results":      {`[{"type":"text","text":"go on"},` + result + `]`, "go on"},
		"an image alone":           {`[{"type":"image","source":{"type":"url","url":"https://x"}}]`, ""},
		"results without content":  {`[{"type":"tool_result","tool_use_id":"c"}]`, ""},
		"a result of another type": {`[{"type":"web_search_tool_result","content":[{"type":"text","text":"x"}]}]`, ""},
	} {
		assert.Equal(t, c.human, readMessages(t, userBlocks(c.content)).HumanTurn().Text, name)
	}
}

func TestReadMessagesSeesWhatAModelMustBeCapableOf(t *testing.T) {
	t.Parallel()
	deep := `{"type":"document","source":{"type":"content","content":[{"type":"image","source":{}}]}}`
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"text":               {userBlocks(`"hi"`), nil},
		"an image by id":     {userBlocks(`[{"type":"image","source":{"type":"file","file_id":"f"}}]`), []string{"vision"}},
		"a document by URL":  {userBlocks(`[{"type":"document","source":{"type":"url","url":"https://x"}}]`), []string{"documents"}},
		"a picture inside":   {userBlocks(`[` + deep + `]`), []string{"vision", "documents"}},
		"within a result":    {userBlocks(`[{"type":"tool_result","content":[` + deep + `]}]`), []string{"vision", "documents"}},
		"signed thinking":    {userBlocks(`[{"type":"thinking","thinking":"","signature":"x"}]`), []string{"sealed_reasoning"}},
		"unsigned thinking":  {userBlocks(`[{"type":"thinking","thinking":"x","signature":""}]`), nil},
		"redacted thinking":  {userBlocks(`[{"type":"redacted_thinking","data":"x"}]`), []string{"sealed_reasoning"}},
		"thinking asked for": {`{"thinking":{"type":"enabled","budget_tokens":1024},"messages":[]}`, []string{"sealed_reasoning"}},
		"adaptive thinking":  {`{"thinking":{"type":"adaptive"},"messages":[]}`, []string{"sealed_reasoning"}},
		"thinking disabled":  {`{"thinking":{"type":"disabled"},"messages":[]}`, nil},
		"a schema":           {`{"output_config":{"format":{"type":"json_schema","schema":{}}},"messages":[]}`, []string{"json_schema"}},
		"its older name":     {`{"output_format":{"type":"json_schema","schema":{}},"messages":[]}`, []string{"json_schema"}},
		"tools":              {`{"tools":[{"type":"web_search_20250305","name":"web_search"}],"messages":[]}`, []string{"tools"}},
		"the provider's own": {userBlocks(`[{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","encrypted_content":"x"}]}]`), nil},
	} {
		assert.Equal(t, c.want, readMessages(t, c.body).Needs.Names(), name)
	}
}

func TestEstimateOfMessages_R5_CountsMediaAndNeverBase64AsText(t *testing.T) {
	t.Parallel()
	base64 := strings.Repeat("QUJD", 300_000) // 1.2 MB
	text := strings.Repeat("word ", 8000)
	for name, c := range map[string]struct {
		block     string
		low, high int
	}{
		"image":             {`{"type":"image","source":{"type":"base64","data":"` + base64 + `"}}`, 1600, 1600},
		"document":          {`{"type":"document","source":{"type":"base64","data":"` + base64 + `"}}`, 40_000, 40_001},
		"document of text":  {`{"type":"document","source":{"type":"text","data":"` + text + `"}}`, 10_000, 10_000},
		"document of parts": {`{"type":"document","source":{"content":[{"type":"text","text":"` + text + `"},{"type":"image"}],"type":"content"}}`, 11_600, 11_600},
		"named document":    {`{"type":"document","source":{"type":"url","url":"https://x"}}`, 2000, 2000},
		"image in a result": {`{"type":"tool_result","content":[{"type":"image","source":{"data":"` + base64 + `"}}]}`, 1600, 1600},
		"text in a result":  {`{"type":"tool_result","content":"` + text + `"}`, 10_000, 10_000},
		"signed thinking":   {`{"type":"thinking","thinking":"","signature":"` + base64 + `"}`, 40_000, 40_100},
		"redacted thinking": {`{"type":"redacted_thinking","data":"` + base64 + `"}`, 40_000, 40_100},
	} {
		got := readMessages(t, userBlocks("["+c.block+"]")).Tokens - readMessages(t, userBlocks(`[]`)).Tokens
		assert.GreaterOrEqual(t, got, c.low, name)
		assert.LessOrEqual(t, got, c.high, name)
	}
}

func TestReadMessagesRefusesWhatIsAmbiguousAndCarriesTheRest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, message string }{
		"messages missing":      {`{"model":"auto"}`, "`messages` is missing: send an array of messages"},
		"a prompt instead":      {`{"model":"auto","input":"hi"}`, "`messages` is missing: send an array of messages"},
		"system twice":          {`{"system":"a","messages":[],"system":"b"}`, `the name "system" stands twice in the body`},
		"a result's name twice": {userBlocks(`[{"type":"tool_result","tool_use_id":"a","tool_use_id":"b"}]`), `the name "tool_use_id" stands twice in a content block`},
		"a part's name twice":   {userBlocks(`[{"type":"tool_result","content":[{"type":"text","text":"a","text":"b"}]}]`), `the name "text" stands twice in a content block`},
		"the same, type last":   {userBlocks(`[{"content":[{"type":"text","text":"a","text":"b"}],"type":"tool_result"}]`), `the name "text" stands twice in a content block`},
		"a source's name twice": {userBlocks(`[{"type":"image","source":{"data":"a","data":"b"}}]`), `the name "data" stands twice in a source`},
	} {
		_, err := conversation.Read(conversation.AnthropicMessages, []byte(c.body))
		require.ErrorContains(t, err, c.message, name)
	}
	for name, content := range map[string]string{
		"duplicates in a call's input":   `[{"type":"tool_use","input":{"a":1,"a":2}}]`,
		"duplicates in an unknown block": `[{"content":[{"a":1,"a":2}],"type":"hologram"}]`,
		"duplicates in nested results":   `[{"type":"tool_result","content":[{"type":"tool_result","content":[{"a":1,"a":2}]}]}]`,
		"content of a number":            `[{"type":"tool_result","content":7}]`,
		"a lone surrogate":               `[{"type":"tool_result","content":"cut \ud83d"}]`,
	} {
		_, err := conversation.Read(conversation.AnthropicMessages, []byte(userBlocks(content)))
		assert.NoError(t, err, name)
	}
}

// What follows its type is read again; nesting must not multiply that.
func TestReadMessagesCostsNoMoreForNestedDocuments(t *testing.T) {
	const levels = 3000
	body := userBlocks(strings.Repeat(`[{"source":{"content":`, levels) + `"x"` + strings.Repeat(`,"type":"content"},"type":"document"}]`, levels))
	allocated := testing.AllocsPerRun(1, func() { readMessages(t, body) })
	assert.Less(t, allocated, 1000.0)
}
