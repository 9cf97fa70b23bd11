package provider_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	chatCalls = `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}`
	itemCalls = `{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}`
	useCalls  = `{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}`
)

// ruled is what is sent of a conversation, and why it is refused; empty where it
// is not.
type ruled struct{ turns, refusal string }

func chatRules() map[string]ruled {
	result := func(content string) string {
		return chatCalls + `,{"role":"tool","tool_call_id":"a","content":` + content + `}`
	}
	return map[string]ruled{
		"a result of parts":          {result(`[{"type":"text","text":""},{"type":"image_url","image_url":{"url":"data:,"}}]`), ""},
		"an empty result":            {result(`""`), ""},
		"an unknown role":            {`{"role":"critic","content":"x"}`, `messages[0]: role "critic" is none of`},
		"a result of null":           {result(`null`), "messages[1]: content: a string or an array of parts is needed"},
		"a result of an object":      {result(`{}`), "messages[1]: content: a string or an array of parts is needed"},
		"another API's part":         {result(`[{"type":"input_text","text":"x"}]`), `messages[1]: content[0]: type "input_text" is none of`},
		"a text part without a text": {result(`[{"type":"text"}]`), "messages[1]: content[0]: a text is needed"},
		"a call without an id":       {`{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]}`, `messages[0]: a tool call needs an id of its own, not ""`},
		"two calls of an id":         {`{"role":"assistant","tool_calls":[{"id":"a"},{"id":"a"}]}`, `messages[0]: a tool call needs an id of its own, not "a"`},
		"two results of a call":      {result(`"x"`) + `,{"role":"tool","tool_call_id":"a","content":"x"}`, `messages[2]: no call with tool_call_id "a" waits`},
		"a result somewhat later":    {chatCalls + `,{"role":"user","content":"x"},{"role":"tool","tool_call_id":"a","content":"x"}`, "messages[1]: 1 tool calls before it have no result"},
	}
}

func itemRules() map[string]ruled {
	result := func(output string) string {
		return itemCalls + `,{"type":"function_call_output","call_id":"a","output":` + output + `}`
	}
	return map[string]ruled{
		"an output of parts":       {result(`[{"type":"input_text","text":"x"},{"type":"input_image","image_url":"data:,"}]`), ""},
		"an output somewhat later": {itemCalls + `,{"role":"user","content":"x"},{"type":"function_call_output","call_id":"a","output":"x"}`, ""},
		"another API's part":       {result(`[{"type":"text","text":"x"}]`), `input[1].output: content[0]: type "text" is none of`},
		"an output of null":        {result(`null`), "input[1].output: content: a string or an array of parts is needed"},
		"an item twice":            {`{"role":"user","content":"x","id":"m"},{"role":"user","content":"x","id":"m"}`, `input[1]: duplicate item found with id "m"`},
		"two calls of an id":       {itemCalls + "," + itemCalls, `input[1]: a tool call needs a call_id of its own, not "a"`},
		"an output before":         {`{"type":"function_call_output","call_id":"a","output":"x"},` + itemCalls, `input[0]: no call with call_id "a" waits`},
		"two outputs of a call":    {result(`"x"`) + `,{"type":"function_call_output","call_id":"a","output":"x"}`, `input[2]: no call with call_id "a" waits`},
	}
}

func useRules() map[string]ruled {
	result := func(content string) string {
		return useCalls + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":` + content + `},{"type":"text","text":"x"}]}`
	}
	user := func(blocks string) string { return `{"role":"user","content":[` + blocks + `]}` }
	const mark = `{"type":"text","text":"x","cache_control": {"type":"ephemeral"}}`
	return map[string]ruled{
		"a result of blocks":          {result(`[{"type":"text","text":"x"},{"type":"image","source":{}}]`), ""},
		"an empty result":             {result(`""`), ""},
		"an empty answer to go on":    {`{"role":"user","content":"x"},{"role":"assistant","content":""}`, ""},
		"four marks":                  {user(strings.Repeat(mark+",", 3) + mark), ""},
		"five marks":                  {user(strings.Repeat(mark+",", 4) + mark), "a maximum of 4 blocks with cache_control may be provided, found 5"},
		"the assistant first":         {`{"role":"assistant","content":"x"}`, "messages: the first message must use the user role"},
		"system text in the middle":   {user(mark) + `,{"role":"system","content":"x"}`, `messages.1: unexpected role "system"`},
		"an empty text":               {user(`{"type":"text","text":""}`), "messages.0: content.0: text content blocks must be non-empty"},
		"an empty text in a result":   {result(`[{"type":"text","text":""}]`), "messages.2: content.0: tool_result.content.0: text content blocks must be non-empty"},
		"another API's part":          {result(`[{"type":"input_text","text":"x"}]`), `messages.2: content.0: tool_result.content.0: type "input_text" is none of`},
		"a result of null":            {result(`null`), "messages.2: content.0: tool_result.content: a string or an array of blocks is needed"},
		"an image as an error":        {user(`{"type":"tool_result","is_error":true,"content":[{"type":"image"}]}`), "all content must be type text if is_error is true"},
		"no content":                  {user(``), "messages.0: all messages must have non-empty content"},
		"a text before a result":      {useCalls + `,{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"a"}]}`, "messages.2: content.1: tool_result blocks come before all others"},
		"a use twice":                 {result(`"x"`) + "," + useCalls, "messages.4: tool_use ids must be unique"},
		"a use without an id":         {`{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use"}]}`, `and match ^[a-zA-Z0-9_-]+$, not ""`},
		"a result one message later":  {useCalls + "," + user(mark) + "," + user(`{"type":"tool_result","tool_use_id":"a"}`), "messages.2: 1 tool_use ids were found without tool_result blocks"},
		"two results of a single use": {useCalls + "," + user(`{"type":"tool_result","tool_use_id":"a"},{"type":"tool_result","tool_use_id":"a"}`), `messages.2: unexpected tool_use_id "a"`},
	}
}

// A conversation that has lost something on its way is refused, as the real
// providers do.
func TestRulesOfTheProvidersAreKept(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	for path, api := range map[string]struct {
		param string
		rules map[string]ruled
	}{
		"/v1/chat/completions": {"messages", chatRules()},
		"/v1/responses":        {"input", itemRules()},
		"/v1/messages":         {"messages", useRules()},
	} {
		for name, rule := range api.rules {
			t.Run(path+": "+name, func(t *testing.T) {
				t.Parallel()
				body := `{"model":"small-2026","max_tokens":9,"` + api.param + `":[` + rule.turns + `]}`
				answered, err := send(t.Context(), t, server.URL+path, strings.NewReader(body))
				require.NoError(t, err)
				if rule.refusal == "" {
					assert.Equal(t, http.StatusOK, answered.status)
					return
				}
				assert.Equal(t, http.StatusBadRequest, answered.status)
				said, err := io.ReadAll(answered.body)
				require.NoError(t, err)
				assert.Contains(t, strings.ReplaceAll(string(said), `\"`, `"`), rule.refusal)
			})
		}
	}
}
