package envoy_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const chat = "/v1/chat/completions"

// outage is an Envoy whose pointsman is down.
func outage(t *testing.T) (url string) {
	t.Helper()
	credential := filepath.Join(t.TempDir(), "credential")
	require.NoError(t, os.WriteFile(credential, []byte("of-the-provider\n"), 0o600))
	return "http://" + startEnvoy(t, fmt.Sprintf(`
virtual_models: [{name: auto}]
default_model: default
models:
  - {name: default, upstream_model: "default-100%%", cluster: a, apis: [openai_chat_completions],
     tier: medium, context_window: 128000, price: {input: 1, output: 2}}
  - {name: large, cluster: gone, apis: [openai_chat_completions], tier: complex, context_window: 128000, price: {input: 3, output: 9}}
  - {name: other, upstream_model: "other-50%%", cluster: plain, apis: [openai_chat_completions],
     tier: complex, context_window: 128000, price: {input: 3, output: 9}}
envoy:
  listener: 127.0.0.1:0
  admin: 127.0.0.1:0
  pointsman_address: %s
  default_cluster: plain
clusters:
  - name: a
    address: %s
    host: api.example.com
    path_prefix: /openai/eu
    credential: {header: x-goog-api-key, prefix: "key ", file: %s}
  - {name: plain, address: "%s"}
  - {name: gone, address: "%s"}
`, nobody(t), provider(t, "a"), credential, provider(t, "plain"), nobody(t)))
}

// conversation is a chat request of size bytes, all of it compressible.
func conversation(size int) []byte {
	const before, after = `{"model":"auto","messages":[{"role":"user","content":"`, `"}]}`
	return []byte(before + strings.Repeat("a", size-len(before)-len(after)) + after)
}

func assertNothingOfOurs(t *testing.T, header http.Header) {
	t.Helper()
	for name := range header {
		assert.NotRegexp(t, "(?i)^x-(selected|pointsman|envoy|evil)-?", name)
	}
}

func zipped(t *testing.T, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	_, err := writer.Write(body)
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	return out.Bytes()
}

func TestOutage(t *testing.T) {
	t.Parallel()
	url := outage(t)

	for _, size := range []int{2 << 10, 5 << 20, 20 << 20} {
		t.Run(fmt.Sprintf("FailsOpenToTheDefaultModel_%d_bytes", size), func(t *testing.T) {
			t.Parallel()
			request := send(t, http.MethodPost, url+chat, conversation(size)).seen(t)
			assert.Equal(t, "default-100%", request.Model)
			assert.Equal(t, size-len("auto")+len("default-100%"), request.Length)
		})
	}
	t.Run("APinnedUpstreamModelKeepsItsNameAndEveryByte", func(t *testing.T) {
		t.Parallel()
		body := []byte(` {"z":1.0, "model" : "other-50%", "seed":12345678901234567890,"messages":[]}`)
		request := send(t, http.MethodPost, url+chat, body).seen(t)
		assert.Equal(t, "plain", request.Provider)
		assert.Equal(t, sha256.Sum256(body), request.Sum)
		assert.Equal(t, strconv.Itoa(len(body)), request.Header.Get("content-length"))
		assertNothingOfOurs(t, request.Header)
	})
	t.Run("APinnedCatalogueModelGetsItsUpstreamName", func(t *testing.T) {
		t.Parallel()
		request := send(t, http.MethodPost, url+chat, []byte(`{"model":"other","messages":[]}`)).seen(t)
		assert.Equal(t, "plain", request.Provider)
		assert.Equal(t, "other-50%", request.Model)
		assertNothingOfOurs(t, request.Header)
	})
	t.Run("AnyOtherModelBecomesTheDefaultModel", func(t *testing.T) {
		t.Parallel()
		for _, model := range []string{
			`"nobody-knows"`, `""`, `7`, `null`, `{"a":"other"}`, `"other\r\nx-selected-model: large"`, `"` + strings.Repeat("m", 100_000) + `"`,
		} {
			request := send(t, http.MethodPost, url+chat, []byte(`{"model":`+model+`,"messages":[]}`)).seen(t)
			assert.Equal(t, "a", request.Provider)
			assert.Equal(t, "default-100%", request.Model)
			assertNothingOfOurs(t, request.Header)
		}
	})
	t.Run("ACompressedBodyIsInflatedWhole", func(t *testing.T) {
		t.Parallel()
		request := send(t, http.MethodPost, url+chat, zipped(t, conversation(5<<20)),
			"content-encoding", "GZIP", "cache-control", "no-transform").seen(t)
		assert.Equal(t, "default-100%", request.Model)
		assert.Equal(t, 5<<20-len("auto")+len("default-100%"), request.Length)
		assert.Empty(t, request.Header.Get("content-encoding"))
	})
	t.Run("AClientCannotChooseItsRoute", func(t *testing.T) {
		t.Parallel()
		request := send(t, http.MethodPost, url+chat, conversation(100),
			"x-selected-model", "large", "x-pointsman-pass", "1", "x-pointsman-decision", "mine", "x-pointsman-asked", "other").seen(t)
		assert.Equal(t, "default-100%", request.Model)
		assertNothingOfOurs(t, request.Header)
	})
	t.Run("HintsStayHere", func(t *testing.T) {
		t.Parallel()
		request := send(t, http.MethodPost, url+chat, conversation(100), "x-pointsman-hint-tier", "simple").seen(t)
		assert.Empty(t, request.Header.Get("x-pointsman-hint-tier"))
	})
	t.Run("TheProviderGetsItsHostPathAndCredential", func(t *testing.T) {
		t.Parallel()
		request := send(t, http.MethodPost, url+chat+"?beta=true", conversation(100),
			"authorization", "Bearer mine", "x-api-key", "mine", "api-key", "mine", "x-goog-api-key", "mine").seen(t)
		assert.Equal(t, "api.example.com", request.Host)
		assert.Equal(t, "/openai/eu/v1/chat/completions?beta=true", request.Path)
		assert.Equal(t, []string{"key of-the-provider"}, request.Header["X-Goog-Api-Key"])
		for _, header := range []string{"Authorization", "X-Api-Key", "Api-Key"} {
			assert.Empty(t, request.Header[header])
		}
	})
	t.Run("NobodyIsToldOfADecision", func(t *testing.T) {
		t.Parallel()
		got := send(t, http.MethodPost, url+chat, conversation(100))
		assert.NotContains(t, got.header, "X-Selected-Model")
		assert.NotContains(t, got.header, "X-Pointsman-Decision")
	})
	t.Run("UploadsElsewhereAreUntouched", func(t *testing.T) {
		t.Parallel()
		body := []byte(`{"model":"auto", "number":12345678901234567890, "float":1.0, "text":"\u00e9<b>"}`)
		for _, path := range []string{"/v1/files", "/v1/chat/completionsX", "/a//b%2Fc"} {
			request := send(t, http.MethodPost, url+path, body, "authorization", "Bearer mine", "session_id", "s").seen(t)
			assert.Equal(t, "plain", request.Provider)
			assert.Equal(t, path, request.Path)
			assert.Equal(t, sha256.Sum256(body), request.Sum)
			assert.Equal(t, []string{"Bearer mine"}, request.Header["Authorization"])
			assert.Equal(t, "s", request.Header.Get("session_id"))
		}
	})
	t.Run("ABodyOverTheLimitIs413InTheClientsDialect", func(t *testing.T) {
		t.Parallel()
		for _, body := range [][]byte{conversation(34 << 20), zipped(t, conversation(34<<20))} {
			var coding []string
			if len(body) < 1<<20 {
				coding = []string{"content-encoding", "gzip"}
			}
			got := send(t, http.MethodPost, url+chat, body, coding...)
			assert.Equal(t, http.StatusRequestEntityTooLarge, got.status)
			assert.JSONEq(t, `{"error":{"message":"the request body is larger than the limit of 33554432 bytes",
				"type":"invalid_request_error","param":null,"code":"request_too_large"}}`, string(got.body))
		}
	})
	t.Run("AWebSocketIs426InTheClientsDialect", func(t *testing.T) {
		t.Parallel()
		got := send(t, http.MethodGet, url+chat, nil, "connection", "Upgrade", "upgrade", "WebSocket")
		assert.Equal(t, http.StatusUpgradeRequired, got.status)
		assert.Equal(t, "application/json", got.header.Get("content-type"))
		assert.JSONEq(t, `{"error":{"message":"WebSocket is not supported on this path: send an HTTP POST",
			"type":"invalid_request_error","param":null,"code":"upgrade_required"}}`, string(got.body))
	})
	t.Run("TheListOfModelsIsTheDefaultClusters", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, "plain", send(t, http.MethodGet, url+"/v1/models", nil).seen(t).Provider)
	})
}

func TestOutage_OfTheProviderTooIs503InTheClientsDialect(t *testing.T) {
	t.Parallel()
	url := "http://" + startEnvoy(t, fmt.Sprintf(mesh+`
envoy: {listener: "127.0.0.1:0", admin: "127.0.0.1:0", pointsman_address: "%s"}
clusters: [{name: a, address: "%s"}]
`, nobody(t), nobody(t)))
	got := send(t, http.MethodPost, url+chat, conversation(100))
	assert.Equal(t, http.StatusServiceUnavailable, got.status)
	assert.JSONEq(t, `{"error":{"message":"the model provider cannot be reached: try again later",
		"type":"server_error","param":null,"code":"upstream_unavailable"}}`, string(got.body))

	elsewhere := send(t, http.MethodPost, url+"/v1/files", nil)
	assert.Equal(t, http.StatusServiceUnavailable, elsewhere.status)
	assert.Equal(t, "text/plain", elsewhere.header.Get("content-type"))
}
