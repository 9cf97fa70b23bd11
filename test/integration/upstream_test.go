package integration

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/decision"
)

func TestUpstream_TheProviderGetsItsCredentialHostAndPathOverTLS(t *testing.T) {
	t.Parallel()
	v := visiting(various(t))
	got := v.ask(t, said("secured", greeting),
		"authorization", "Bearer of-the-client", "x-api-key", "of-the-client", "api-key", "of-the-client", "x-trace", "kept")
	assert.Equal(t, http.StatusOK, got.status, got.body)
	assert.Equal(t, "secured", got.header.Get(decision.HeaderModel))

	request := v.arrived(t, "secured")
	assert.Equal(t, []string{"Bearer " + ofTheProvider}, request.Headers["Authorization"])
	assert.NotContains(t, request.Headers, "X-Api-Key")
	assert.NotContains(t, request.Headers, "Api-Key")
	assert.Equal(t, "kept", request.Headers.Get("x-trace"))
	assert.Equal(t, "api.example.com", request.Host)
	assert.Equal(t, "/openai/eu"+v.mark+chat, request.Path)
	assert.Equal(t, "HTTP/2.0", request.Proto, "what TLS negotiates")
	assertBody(t, said("secured", greeting), request)
	assertClean(t, request)
	assert.Equal(t, v.mark+chat, v.record(t).GetOutcome().GetPath(), "the path as the client sent it")
}

func TestUpstream_AWrongCertificateIs503InTheClientsDialect(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"misnamed", "unsigned"} {
		v := visiting(various(t))
		v.ask(t, said(model, greeting)).isProblem(t, http.StatusServiceUnavailable,
			`{"error":{"message":"the model provider cannot be reached: try again later",`+
				`"type":"server_error","param":null,"code":"upstream_unavailable"}}`)
		assert.Empty(t, v.received(t))
		outcome := v.record(t).GetOutcome()
		assert.Equal(t, decision.KindUpstreamReset, outcome.GetKind())
		assert.Equal(t, []string{"UF", "URX"}, outcome.GetFlags())
		assert.EqualValues(t, 3, outcome.GetAttempts())
		assert.Equal(t, model, outcome.GetUpstreamCluster())
	}
}
