package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
)

const (
	hard   = "Prove that every bounded monotone sequence of real numbers converges."
	simple = `{"category":"factual_qa","tier":"simple","difficulty":0.1}`
)

// A rig is a classifier and what it logs.
type rig struct {
	*Classifier

	logs *observer.ObservedLogs
}

// newRig is a classifier for a server at an address, with further settings of
// classifier.llm.
func newRig(t *testing.T, address, more string) *rig {
	t.Helper()
	if !strings.Contains(more, "timeout:") {
		more = "timeout: 9s, " + more // longer than anything here takes
	}
	cfg, err := config.Parse("test.yaml", fmt.Appendf(nil, `
default_model: m
models: [{name: m, cluster: c, apis: [openai_chat_completions], tier: medium, context_window: 100000, price: {input: 1, output: 2}}]
classifier: {fallback_tier: complex, llm: {base_url: "%s/v1", model: judge, %s}}
`, address, more))
	require.NoError(t, err)
	core, logs := observer.New(zapcore.DebugLevel)
	classifier, err := New(cfg, zap.New(core))
	require.NoError(t, err)
	return &rig{classifier, logs}
}

// classify is what pointsman does with a text.
func (r *rig) classify(t *testing.T, text string) classify.Result {
	t.Helper()
	return classify.New(decision.Complex, true).Consult(classify.Input{Message: text}, classify.Hints{}, r.Opinion(t.Context()))
}

// embedded is what the embedded model says by itself about the hard text.
func embedded() classify.Result {
	return classify.New(decision.Complex, true).Classify(classify.Input{Message: hard}, classify.Hints{})
}

// asked is a question as the server got it.
type asked struct {
	Path   string
	Header http.Header
	Body   string
}

// message is what a question has in one of its messages.
func (a asked) message(t *testing.T, i int) (role, content string) {
	t.Helper()
	var body struct {
		Messages []message `json:"messages"`
	}
	require.NoError(t, json.Unmarshal([]byte(a.Body), &body))
	require.Len(t, body.Messages, 2)
	return body.Messages[i].Role, body.Messages[i].Content
}

// server is a server of models that answers by handler.
type server struct {
	*httptest.Server

	mu    sync.Mutex
	asked []asked
}

func serve(t *testing.T, handler http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if !assert.NoError(t, err) {
			return
		}
		s.mu.Lock()
		s.asked = append(s.asked, asked{r.URL.RequestURI(), r.Header, string(body)})
		s.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// questions is what the server was asked so far.
func (s *server) questions() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// says answers as a model does that says content.
func says(content string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(reply(content)) }
}

// reply is the body of an answer.
func reply(content string) []byte {
	text, err := json.Marshal(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "judge-2026",
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": "stop", "logprobs": nil,
			"message": map[string]any{"role": "assistant", "content": content, "refusal": nil},
		}},
		"usage": map[string]any{"prompt_tokens": 300, "completion_tokens": 20, "total_tokens": 320},
	})
	if err != nil {
		panic(err)
	}
	return text
}

// status answers with a status, headers and a body that has the client's key.
func status(code int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, `{"error":{"message":"incorrect key: %s"}}`, r.Header.Get("authorization"))
	}
}

// silent never answers.
func silent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
