package conversation_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

func apply(req *conversation.Request, edits ...conversation.Edit) []byte {
	return conversation.Apply(req.Body, edits)
}

func TestApplyWithoutEditsIsTheInput(t *testing.T) {
	t.Parallel()
	req := readChat(t, agentSession)
	out := apply(req)
	assert.Equal(t, agentSession, string(out))
	assert.Same(t, &req.Body[0], &out[0], "no copy is made")
}

// odd holds what a reader that unmarshals and marshals would change.
const odd = ` {"z":12345678901234567890, "a" : 1.0,"h":"<b>\u00e9\/",	"model"  :  %s  ,"e":1E+2,` +
	"\n" + `"messages":[{"role":"user","content":"x\ud800"}],"dup":{"k":1,"k":2},"u":"\u4f60","-0":-0.0}` + "\r\n"

func TestSetModelChangesExactlyTheValue(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`"auto"`, `""`, `"a\"}b"`, `"\u0061uto"`, `null`, `7`, `{"x":[1]}`, `["auto"]`} {
		req := readChat(t, fmt.Sprintf(odd, value))
		assert.Equal(t, fmt.Sprintf(odd, `"gpt-\"x\""`), string(apply(req, req.SetModel(`gpt-"x"`))), value)
	}
}

func TestSetModelFindsANameWithEscapes(t *testing.T) {
	t.Parallel()
	req := readChat(t, `{"mod\u0065l":"auto","messages":[]}`)
	assert.Equal(t, "auto", req.Model)
	assert.Equal(t, `{"mod\u0065l":"m","messages":[]}`, string(apply(req, req.SetModel("m"))))
}

func TestSetModelLeavesOtherModelsAlone(t *testing.T) {
	t.Parallel()
	req := readChat(t, `{"metadata":{"model":"x"},"messages":[{"role":"user","model":"y","content":"model"}],"Model":"z","model":"auto"}`)
	assert.Equal(t,
		`{"metadata":{"model":"x"},"messages":[{"role":"user","model":"y","content":"model"}],"Model":"z","model":"m"}`,
		string(apply(req, req.SetModel("m"))))
}

func TestSetModelGivesABodyWithoutOneItsFirstMember(t *testing.T) {
	t.Parallel()
	req := readChat(t, "\n{ \"messages\":[]}")
	assert.False(t, req.HasModel)
	assert.Equal(t, "\n{\"model\":\"m\", \"messages\":[]}", string(apply(req, req.SetModel("m"))))
}

func TestApplyAllocatesTheOutputAndNothingElse(t *testing.T) {
	req := readChat(t, `{"model":"auto","messages":[{"role":"user","content":"`+strings.Repeat("x", 1<<20)+`"}]}`)
	edit := req.SetModel("m")
	assert.LessOrEqual(t, testing.AllocsPerRun(10, func() { apply(req, edit) }), 2.0)
}

func FuzzReadChat(f *testing.F) {
	for _, seed := range []string{
		agentSession, fmt.Sprintf(odd, `"auto"`), `{"messages":[]}`, `{}`, `[]`, ``, "{\"model\":\"\xff\"}",
		userTurn(`"<system-reminder>a</system-reminder>b"`), userTurn(`"\ud83d\ude00\u003csystem-reminder\u003e"`),
		userTurn(`"x\\u003csystem-reminder>y\\\u003c/system-reminder>"`),
		`{"messages":[{"role":"tool","content":[{"type":"text","text":"a"},{"type":"file","file":{"file_data":"x"}}]}]}`,
		`{"mod\u0065l":"a","messages":[{"role":"assistant","function_call":{"name":"f","arguments":"{}"}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		req, err := conversation.Read(conversation.OpenAIChat, body)
		if err != nil {
			var malformed *conversation.MalformedError
			require.ErrorAs(t, err, &malformed)
			assert.True(t, malformed.Offset >= 0 && malformed.Offset <= len(body))
			return
		}
		checkAgainstEncodingJSON(t, req)
		checkModelEdit(t, req)
		checkSpans(t, req)
	})
}

// checkAgainstEncodingJSON holds the reading against the standard library's.
func checkAgainstEncodingJSON(t *testing.T, req *conversation.Request) {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(req.Body, &members))
	var model string
	isString := json.Unmarshal(members["model"], &model) == nil && string(members["model"]) != "null"
	assert.Equal(t, isString, req.HasModel)
	if isString {
		assert.Equal(t, model, req.Model)
	}
	if members["messages"] == nil {
		return // a body of Responses, which FuzzReadResponses holds to its words
	}
	var messages []json.RawMessage
	require.NoError(t, json.Unmarshal(members["messages"], &messages))
	assert.Len(t, req.Turns, len(messages))
}

func checkModelEdit(t *testing.T, req *conversation.Request) {
	t.Helper()
	edit := req.SetModel("new-model")
	out := apply(req, edit)
	assert.Len(t, out, len(req.Body)-edit.Span.Len()+len(edit.With))
	assert.Equal(t, string(req.Body[:edit.Span.Start]), string(out[:edit.Span.Start]))
	assert.Equal(t, string(req.Body[edit.Span.End:]), string(out[edit.Span.Start+len(edit.With):]))
	again, err := conversation.Read(req.API, out)
	require.NoError(t, err)
	assert.Equal(t, "new-model", again.Model)
	assert.Equal(t, req.Tokens, again.Tokens, "the model's name is no part of the prompt")
	assert.Equal(t, req.HumanTurn(), again.HumanTurn())
}

func checkSpans(t *testing.T, req *conversation.Request) {
	t.Helper()
	for _, turn := range req.Turns {
		assert.True(t, json.Valid(req.Body[turn.Span.Start:turn.Span.End]))
		for _, block := range req.Blocks(turn) {
			for _, span := range []conversation.Span{block.Span, block.Text, block.ID, block.Name} {
				assert.True(t, span.Len() == 0 || json.Valid(req.Body[span.Start:span.End]))
			}
			assert.GreaterOrEqual(t, block.Tokens, 0)
		}
	}
}
