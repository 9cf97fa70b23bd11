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
