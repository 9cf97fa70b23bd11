package integration

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
	"github.com/pointsman/pointsman/test/provider"
)

const chat = "/v1/chat/completions"

// A visit is a test's use of a stack. Its mark stands in the path of its
// requests, before the API's own part, so that they can be told from those of
// other tests at the providers and in the decision log.
type visit struct {
	*Stack

	mark string
}

func visiting(stack *Stack) visit { return visit{stack, "/mark-" + rand.Text()} }

// base is where the visit's requests go.
func (v visit) base() string { return v.URL + v.mark }

// request is one to the chat path, with headers given as name, value, name,
// value.
func (v visit) request(t *testing.T, body []byte, headers ...string) *http.Request {
	t.Helper()
	return newRequest(t, http.MethodPost, v.base()+chat, body, headers...)
}

// ask sends it and returns the answer.
func (v visit) ask(t *testing.T, body []byte, headers ...string) answer {
	t.Helper()
	return do(t, http.DefaultClient, v.request(t, body, headers...))
}

// received is what reached the providers of this visit, by the name of their
// cluster.
func (v visit) received(t *testing.T) map[string][]provider.Request {
	t.Helper()
	found := map[string][]provider.Request{}
	for name, steered := range v.Providers {
		requests, err := steered.Requests(t.Context(), v.mark+"/")
		require.NoError(t, err)
		if len(requests) > 0 {
			found[name] = requests
		}
	}
	return found
}

// arrived is the only request of this visit that reached a provider, which is
// that of a cluster.
func (v visit) arrived(t *testing.T, cluster string) provider.Request {
	t.Helper()
	received := v.received(t)
	require.Len(t, received, 1, "clusters that got something")
	require.Len(t, received[cluster], 1, "requests to %s", cluster)
	return received[cluster][0]
}

// record is the visit's first line in the decision log.
func (v visit) record(t *testing.T) *routerv1.Record {
	t.Helper()
	return v.Record(t, v.mark+"/")
}

// all waits for that many lines of the visit in the decision log; there are no
// more.
func (v visit) all(t *testing.T, lines int) []*routerv1.Record {
	t.Helper()
	found := v.WaitForRecords(t, v.mark+"/", lines)
	require.Len(t, found, lines)
	return found
}

func newRequest(t *testing.T, method, url string, body []byte, headers ...string) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("content-type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	return request
}

// answer is what a client got, whole.
type answer struct {
	status int
	header http.Header
	body   string
}

func do(t *testing.T, client *http.Client, request *http.Request) answer {
	t.Helper()
	response, err := client.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(body)}
}

// isProblem holds an answer against an error in OpenAI's dialect.
func (a answer) isProblem(t *testing.T, status int, body string) {
	t.Helper()
	assert.Equal(t, status, a.status)
	assert.Equal(t, "application/json", a.header.Get("content-type"))
	assert.Equal(t, body, a.body)
}

// isDecided holds that Envoy has waited for pointsman. On a machine that is far
// too busy it may not have, and everything after that would be hard to read.
func (a answer) isDecided(t *testing.T) {
	t.Helper()
	require.NotEmpty(t, a.header.Get(decision.HeaderDecision), "Envoy gave pointsman up (after 10 s) and went on without it")
}

// explained is what the pipeline says of a request, in this process.
func explained(t *testing.T, cfg *config.Config, body []byte, headers ...string) filter.Verdict {
	t.Helper()
	pipeline, err := filter.New(cfg)
	require.NoError(t, err)
	values := map[string]string{}
	for i := 0; i < len(headers); i += 2 {
		values[strings.ToLower(headers[i])] = headers[i+1]
	}
	admitted, verdict := pipeline.Admit(filter.Request{
		Method: http.MethodPost, Path: chat,
		Header:   func(name string) string { return values[name] },
		Metadata: func(string, string) string { return "" },
	})
	if admitted == nil {
		return verdict
	}
	return admitted.Decide(context.Background(), body)
}

// said is a chat body with one human turn.
func said(model, text string) []byte {
	return []byte(`{"model":"` + model + `","messages":[{"role":"user","content":"` + text + `"}]}`)
}

// streamed asks for a stream, of the model auto.
func streamed(text string) []byte {
	return []byte(`{"stream":true,"model":"auto","messages":[{"role":"user","content":"` + text + `"}]}`)
}

func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// assertBody holds what a provider got against what it should have got.
func assertBody(t *testing.T, want []byte, got provider.Request) {
	t.Helper()
	assert.True(t, got.Complete)
	assert.EqualValues(t, len(want), got.BodyLength)
	assert.Equal(t, digest(want), got.BodySHA256)
	if len(want) < 4096 {
		assert.Equal(t, string(want), string(got.Body))
	}
}

// assertClean holds that a provider saw nothing of pointsman's.
func assertClean(t *testing.T, got provider.Request) {
	t.Helper()
	for _, name := range append(decision.OwnedHeaders(), decision.HintHeaders()...) {
		assert.Empty(t, got.Headers.Values(name), name)
		assert.Empty(t, got.Trailers.Values(name), name)
	}
	for name := range got.Headers {
		assert.NotRegexp(t, "(?i)^x-(envoy|pointsman|selected)-", name)
	}
}

// open lets a held answer of the providers go on.
func (v visit) open(ctx context.Context, t *testing.T) {
	t.Helper()
	for _, steered := range v.Providers {
		require.NoError(t, steered.Open(ctx, v.mark))
	}
}
