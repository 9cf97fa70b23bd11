package integration

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/test/provider"
)

// spoofing is what a client would send to choose its route by itself.
func spoofing() []string {
	return []string{
		decision.HeaderModel, "large", decision.HeaderCluster, "provider-b", decision.HeaderDecision, "mine",
		decision.HeaderPass, "1", "X-Pointsman-TIER", "reasoning", decision.HeaderCategory, "proof",
		decision.HeaderAsked, "large",
	}
}

// assertSpoofingIsInVain holds for a stack whose pointsman is up or down;
// upstream is the model that a greeting goes to, at provider-a.
func assertSpoofingIsInVain(t *testing.T, stack *Stack, upstream string) {
	t.Helper()
	v := visiting(stack)
	request := v.request(t, said("auto", greeting), spoofing()...)
	request.Header.Add(decision.HeaderModel, "large") // a second time
	got := do(t, http.DefaultClient, request)
	assert.Equal(t, http.StatusOK, got.status, got.body)
	assert.NotEqual(t, "mine", got.header.Get(decision.HeaderDecision))
	assert.NotEqual(t, "large", got.header.Get(decision.HeaderModel))
	arrived := v.arrived(t, "provider-a")
	assert.Contains(t, string(arrived.Body), `"model":"`+upstream+`"`)
	assertClean(t, arrived)

	hints := append(spoofing(), decision.HeaderHintTier, "simple", decision.HeaderHintCategory, "chat", decision.HeaderHintContext, "5")
	for method, path := range map[string]string{
		http.MethodPost: "/v1/embeddings", http.MethodPut: chat, http.MethodDelete: "/v1/files/1", http.MethodGet: chat,
	} {
		v := visiting(stack)
		got := do(t, http.DefaultClient, newRequest(t, method, v.base()+path, said("auto", greeting), hints...))
		assert.Equal(t, http.StatusOK, got.status, "%s %s: %s", method, path, got.body)
		arrived := v.arrived(t, "provider-a")
		assertBody(t, said("auto", greeting), arrived)
		assertClean(t, arrived)
	}
}

// assertUploadsAreUntouched holds for a stack whose pointsman is up or down.
func assertUploadsAreUntouched(t *testing.T, stack *Stack) {
	t.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", "a.jsonl")
	require.NoError(t, err)
	_, err = part.Write([]byte(strings.Repeat(`{"model":"auto","x":1.0}`+"\n", 3<<20/25)))
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	embeddings := []byte(`{"input" : "caf\u00e9", "model":"auto", "dimensions":1.0, "model":"again"}`)

	for _, upload := range []struct {
		path, contentType string
		body              []byte
	}{
		{"/v1/files", writer.FormDataContentType(), form.Bytes()},
		{"/v1/embeddings", "application/json", embeddings},
		{"/v1/chat/completions/", "application/json", embeddings},
	} {
		v := visiting(stack)
		got := do(t, http.DefaultClient, newRequest(t, http.MethodPost, v.base()+upload.path+"?purpose=batch", upload.body,
			"content-type", upload.contentType, "authorization", "Bearer of-the-client"))
		assert.Equal(t, http.StatusOK, got.status)
		arrived := v.arrived(t, "provider-a")
		assertBody(t, upload.body, arrived)
		assertClean(t, arrived)
		assert.EqualValues(t, len(upload.body), arrived.ContentLength)
		assert.Equal(t, upload.contentType, arrived.Headers.Get("content-type"))
		assert.Equal(t, "Bearer of-the-client", arrived.Headers.Get("authorization"))
		assert.Equal(t, v.mark+upload.path+"?purpose=batch", arrived.Path)
	}
}

func TestSpoof_AClientCannotChooseItsRoute(t *testing.T) {
	t.Parallel()
	assertSpoofingIsInVain(t, shared(t), "small-2026")
}

func TestSpoof_UploadsAreUntouched(t *testing.T) {
	t.Parallel()
	assertUploadsAreUntouched(t, shared(t))
}

// Envoy takes orders in headers of its own from clients that it trusts. It
// trusts none of these.
func TestSpoof_EnvoysOwnHeadersAreNoLever(t *testing.T) {
	t.Parallel()
	v := visiting(shared(t))
	got := v.ask(t, said("auto", greeting), "x-envoy-upstream-rq-timeout-ms", "50", "x-envoy-upstream-rq-per-try-timeout-ms", "50",
		"x-envoy-original-path", "/elsewhere", "x-envoy-internal", "true", provider.HeaderDelay, "300ms")
	assert.Equal(t, http.StatusOK, got.status)
	assertClean(t, v.arrived(t, "provider-a"))
	assert.Equal(t, v.mark+chat, v.record(t).GetOutcome().GetPath())

	v = visiting(shared(t))
	got = v.ask(t, said("auto", greeting), "x-envoy-retry-on", "5xx", "x-envoy-max-retries", "5", provider.HeaderStatus, "500")
	assert.Equal(t, http.StatusInternalServerError, got.status)
	assertClean(t, v.arrived(t, "provider-a"))
}

func TestModels_TheVirtualOnesAreListed(t *testing.T) {
	t.Parallel()
	v := visiting(shared(t))
	got := do(t, http.DefaultClient, newRequest(t, http.MethodGet, v.base()+"/v1/models", nil))
	const models = `[{"id":"auto","object":"model","created":0,"owned_by":"pointsman","context_window":1000000},` +
		`{"id":"auto-fast","object":"model","created":0,"owned_by":"pointsman","context_window":1000000}]`
	assert.Equal(t, http.StatusOK, got.status)
	assert.Equal(t, "application/json", got.header.Get("content-type"))
	assert.Equal(t, `{"object":"list","data":`+models+`,"models":`+models+`}`, got.body)
	assert.Empty(t, v.received(t))
}

func TestModels_AWebSocketIs426(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		v := visiting(shared(t))
		got := do(t, http.DefaultClient, newRequest(t, method, v.base()+chat, nil,
			"connection", "Upgrade", "upgrade", "websocket", "sec-websocket-version", "13", "sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="))
		got.isProblem(t, http.StatusUpgradeRequired, `{"error":{"message":"WebSocket is not supported on this path: send an HTTP POST",`+
			`"type":"invalid_request_error","param":null,"code":"upgrade_required"}}`)
		assert.Empty(t, v.received(t))
	}
}

func TestModels_AnUnknownOneIs404(t *testing.T) {
	t.Parallel()
	v := visiting(shared(t))
	v.ask(t, said("gpt-9", greeting)).isProblem(t, http.StatusNotFound,
		`{"error":{"message":"unknown model \"gpt-9\": ask for auto, auto-fast or for a model of the catalogue",`+
			`"type":"invalid_request_error","param":"model","code":"model_not_found"}}`)
	assert.Empty(t, v.received(t))
}
