package llm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
)

func TestClient_PutsItsPathBehindTheBaseURLAsItIs(t *testing.T) {
	t.Parallel()
	for address, path := range map[string]string{
		"/v1": "/v1/chat/completions", "/v1/": "/v1/chat/completions", "": "/chat/completions", "/": "/chat/completions",
		"/openai/v1beta/": "/openai/v1beta/chat/completions",
	} {
		s := serve(t, says(simple))
		r := newRig(t, s.URL, "")
		r.settings.BaseUrl = new(s.URL + address)
		_, err := newClient(r.settings, "", r.logger).ask(t.Context(), asked1)
		require.NoError(t, err)
		assert.Equal(t, path, s.questions()[0].Path)
	}
}

func TestClient_AServerThatRefusesTheSchemaIsAskedWithoutFromThenOn(t *testing.T) {
	t.Parallel()
	for _, code := range []int{http.StatusBadRequest, http.StatusUnprocessableEntity} {
		s := serve(t, picky(code))
		r := newRig(t, s.URL, "")
		for range 3 {
			assert.Equal(t, decision.ByLLM, r.classify(t, hard).By)
		}
		questions := s.questions()
		require.Len(t, questions, 4, "the first one twice")
		assert.Contains(t, questions[0].Body, "json_schema")
		for _, plain := range questions[1:] {
			assert.NotContains(t, plain.Body, "response_format")
			assert.NotContains(t, plain.Body, "temperature")
			_, text := plain.message(t, 1)
			assert.Equal(t, hard, text)
		}
		assert.Equal(t, 1, r.logs.Len())
	}
}

// picky refuses a body with a schema, with a status.
func picky(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err != nil || strings.Contains(string(body), "json_schema") {
			status(code)(w, r)
			return
		}
		says(simple)(w, r)
	}
}

func TestClient_TheKeyIsNeitherLoggedNorSentElsewhere(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(key, []byte("sk-s3cret"), 0o600))
	elsewhere := serve(t, says(simple))
	for name, handler := range map[string]http.HandlerFunc{
		"repeats it": status(http.StatusUnauthorized), "sends it elsewhere": status(http.StatusTemporaryRedirect, "location", elsewhere.URL),
		"puts it into a header": status(http.StatusTooManyRequests, "retry-after", "sk-s3cret"),
		"hangs up":              func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		r := newRig(t, serve(t, handler).URL, `api_key_file: "`+key+`"`)
		for range 6 {
			r.classify(t, hard)
		}
		require.NotZero(t, r.logs.Len(), name)
		for _, line := range r.logs.All() {
			text := fmt.Sprint(line.Message, line.ContextMap())
			assert.NotContains(t, text, "s3cret", name)
			assert.NotContains(t, text, hard[:10], name)
		}
		assert.NotContains(t, fmt.Sprintf("%+v", r.settings), "s3cret")
	}
	assert.Empty(t, elsewhere.questions())
}

// A server may close a connection that it has kept just when it is asked again.
func TestClient_AConnectionThatWasClosedMeanwhileIsNoFailure(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() {
		ended <- errors.Join(answerOnce(listener, true), answerOnce(listener, false))
	}()
	r := newRig(t, "http://"+listener.Addr().String(), "")
	assert.Equal(t, decision.ByLLM, r.classify(t, "one").By)
	assert.Empty(t, r.classify(t, "two").LLMUnused)
	require.NoError(t, listener.Close())
	require.NoError(t, <-ended)
}

// answerOnce answers the first question on the next connection, and ends it; if
// it is told to, only after it has read another.
func answerOnce(listener net.Listener, another bool) error {
	conn, err := listener.Accept()
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	lines := bufio.NewReader(conn)
	if err := readQuestion(lines); err != nil {
		return err
	}
	text := reply(simple)
	if _, err := fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s", len(text), text); err != nil || !another {
		return err
	}
	return readQuestion(lines)
}

func readQuestion(lines *bufio.Reader) error {
	request, err := http.ReadRequest(lines)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, request.Body)
	return err
}
