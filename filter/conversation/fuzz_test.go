package conversation_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

func FuzzReadResponses(f *testing.F) {
	for _, seed := range []string{
		responsesSession, `{"input":"x"}`, `{"input":[]}`, `{}`, `{"previous_response_id":"r"}`, `{"input":null,"conversation":{"id":"c"}}`,
		`{"input":[{"role":"user","content":"x"},{"content":[{"text":"a","type":"input_text"}],"type":"message","role":"user"}]}`,
		`{"input":[{"output":[{"text":"a","type":"input_text"},{"type":"input_image"}],"type":"function_call_output","call_id":"c"}]}`,
		`{"input":[{"id":"r"},{"type":"item_reference"},{"type":"computer_call_output","output":{}},{"type":"reasoning","encrypted_content":"AA"}]}`,
		`{"messages":[{"role":"user","content":"x"}]}`, `{"instructions":[{"type":"text","text":"a"}],"input":[{"output":{"output":[1]}}]}`,
	} {
		f.Add([]byte(seed))
	}
	fuzzRead(f, conversation.OpenAIResponses, conversation.OpenAIChat)
}

func FuzzReadMessages(f *testing.F) {
	for _, seed := range []string{
		messagesSession, `{"messages":[]}`, `{}`, `{"system":"x","messages":[]}`, `{"messages":[],"system":[{"type":"text","text":"x"}]}`,
		`{"messages":[{"role":"user","content":[{"content":[{"text":"a","type":"text"}],"type":"tool_result","tool_use_id":"c"}]}]}`,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"tool_result","content":"x"}]}]}]}`,
		`{"messages":[{"content":[{"type":"document","source":{"type":"content","content":[{"type":"image"}]}}]}]}`,
		`{"messages":[{"content":[{"source":{"data":"x","type":"text"},"type":"document"}]}]}`,
		fmt.Sprintf(odd, `"auto"`),
	} {
		f.Add([]byte(seed))
	}
	fuzzRead(f, conversation.AnthropicMessages, "")
}

// fuzzRead holds the reader against encoding/json. other is the API whose bodies
// are read on this one's path too.
func fuzzRead(f *testing.F, api, other conversation.API) {
	f.Helper()
	f.Fuzz(func(t *testing.T, body []byte) {
		req, err := conversation.Read(api, body)
		if err != nil {
			var malformed *conversation.MalformedError
			require.ErrorAs(t, err, &malformed)
			assert.True(t, malformed.Offset >= 0 && malformed.Offset <= len(body))
			return
		}
		said := read(t, req)
		if diff := cmp.Diff(expected(api, body), said); diff != "" && (other == "" || cmp.Diff(expected(other, body), said) != "") {
			t.Error(diff)
		}
		checkModelEdit(t, req)
		checkSpans(t, req)
	})
}
