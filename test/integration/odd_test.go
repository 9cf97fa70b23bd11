package integration

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/test/odd"
)

// refusedByProvider are requests that pointsman carries, since what they say is
// between the client and its provider, and that the stand-in then refuses.
func refusedByProvider() map[string]string {
	return map[string]string{
		"stream of another type":    "cannot unmarshal string into Go struct field chatRequest.stream of type bool",
		"a tool result for no call": `messages[1]: no call with tool_call_id \"gone\" waits for a result`,
		"no messages in the array":  "messages: at least one is needed",
		"an unknown role":           `messages[0]: role \"critic\" is none of`,

		"an old result of null":                                 "messages[2]: content: a string or an array of parts is needed",
		"an old result of a number":                             "messages[2]: content: a string or an array of parts is needed",
		"an old result without content":                         "messages[2]: content: a string or an array of parts is needed",
		"a result before its call":                              `messages[1]: no call with tool_call_id \"c\" waits`,
		"a result of no call":                                   `messages[2]: no call with tool_call_id \"gone\" waits`,
		"two results of a call":                                 `messages[3]: no call with tool_call_id \"c\" waits`,
		"two calls of an id":                                    `messages[1]: a tool call needs an id of its own, not \"c\"`,
		"system text before a result":                           "messages[2]: 1 tool calls before it have no result",
		"/v1/responses: an old output of null":                  "input[2].output: content: a string or an array of parts is needed",
		"/v1/responses: an old output of nothing":               "input[2].output: content: a string or an array of parts is needed",
		"/v1/responses: an output before its call":              `input[1]: no call with call_id \"c\" waits`,
		"/v1/responses: an output of no call":                   `input[2]: no call with call_id \"gone\" waits`,
		"/v1/responses: two outputs of a call":                  `input[3]: no call with call_id \"c\" waits`,
		"/v1/chat/completions: items, an old output among them": "messages: at least one is needed",
		"/v1/messages: an old result of null":                   "messages.2: content.0: tool_result.content: a string or an array of blocks is needed",
		"/v1/messages: an old result of an empty text":          "messages.2: content.0: tool_result.content.0: text content blocks must be non-empty",
		"/v1/messages: an old result with a text before it":     "messages.2: content.1: tool_result blocks come before all others",
		"/v1/messages: a result before its use":                 `messages.1: unexpected tool_use_id \"c\" found`,
		"/v1/messages: a result of no use":                      `messages.2: unexpected tool_use_id \"gone\" found`,
		"/v1/messages: two results of a use":                    `messages.2: unexpected tool_use_id \"c\" found`,
		"/v1/messages: system text in the middle":               `messages.3: unexpected role \"system\"`,
	}
}

// The same table as for the dry run: what `explain` says is what happens.
func TestOdd_RequestsGetTheirExactAnswersThroughEnvoy(t *testing.T) {
	t.Parallel()
	requests := odd.Requests()
	require.Greater(t, len(requests), 80)
	for _, r := range requests {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			v := visiting(strict(t))
			request := newRequest(t, r.Method, v.URL+r.Path, []byte(r.Body), "x-mark", v.mark+"/")
			for name, value := range r.Headers {
				request.Header.Set(name, value)
			}
			got := do(t, http.DefaultClient, request)
			if refusal, refused := refusedByProvider()[r.Name]; refused {
				assert.Equal(t, http.StatusBadRequest, got.status)
				assert.Contains(t, got.body, refusal)
			} else {
				assert.Equal(t, r.Status, got.status, got.body)
			}
			if r.Answer != "" {
				assert.Equal(t, "application/json", got.header.Get("content-type"))
				assert.Equal(t, r.Answer, got.body)
				assert.Empty(t, v.received(t))
				return
			}
			var arrived []string
			for _, requests := range v.received(t) {
				for _, request := range requests {
					arrived = append(arrived, request.BodySHA256)
					assertBody(t, []byte(r.Upstream), request)
					assertClean(t, request)
				}
			}
			assert.Len(t, arrived, 1)
		})
	}
	for name := range refusedByProvider() {
		assert.True(t, slices.ContainsFunc(requests, func(r odd.Request) bool { return r.Name == name }), name)
	}
}
