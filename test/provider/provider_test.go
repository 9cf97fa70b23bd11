package provider_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/test/provider"
)

const (
	plainBody  = `{"model":"small-2026","messages":[{"role":"user","content":"Hi there"}]}`
	streamBody = `{"stream":true,"model":"small-2026","messages":[{"role":"user","content":"Hi there"}]}`
)

// An answer is a response that the test's end closes.
type answer struct {
	status int
	body   io.Reader
}

// send posts a body with headers given as name, value, name, value.
func send(ctx context.Context, t *testing.T, url string, body io.Reader, headers ...string) (answer, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	if err != nil {
		return answer{}, err
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return answer{status: response.StatusCode, body: response.Body}, nil
}

// post sends a body and returns the whole answer.
func post(t *testing.T, url, body string, headers ...string) string {
	t.Helper()
	response, err := send(t.Context(), t, url, strings.NewReader(body), headers...)
	require.NoError(t, err)
	whole, err := io.ReadAll(response.body)
	require.NoError(t, err)
	return string(whole)
}

// recorded waits until a provider's only request with this text is as wanted.
func recorded(t *testing.T, url, contains string, wanted func(provider.Request) bool) provider.Request {
	t.Helper()
	var found []provider.Request
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		var err error
		found, err = provider.Client{URL: url}.Requests(t.Context(), contains)
		require.NoError(c, err)
		require.Len(c, found, 1)
		assert.True(c, wanted(found[0]), "%+v", found[0])
	}, 10*time.Second, 5*time.Millisecond)
	return found[0]
}

func complete(r provider.Request) bool { return r.Complete && r.Answered }

func TestRecordsWhatArrivedByteForByte(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	body := `{ "b":1.0, "model":"small-2026","messages":[{"role":"user","content":"caf\u00e9 <b> 12345678901234567890"}],"a":1}`
	post(t, server.URL+"/prefix/v1/chat/completions?beta=true", body, "x-trace", "one")
	got := recorded(t, server.URL, "12345678901234567890", complete)
	assert.Equal(t, body, string(got.Body))
	digest := sha256.Sum256([]byte(body))
	assert.Equal(t, hex.EncodeToString(digest[:]), got.BodySHA256)
	assert.EqualValues(t, len(body), got.BodyLength)
	assert.EqualValues(t, len(body), got.ContentLength)
	assert.Empty(t, got.TransferEncoding)
	assert.Equal(t, "/prefix/v1/chat/completions?beta=true", got.Path)
	assert.Equal(t, http.MethodPost, got.Method)
	assert.Equal(t, "one", got.Headers.Get("x-trace"))
}

func TestRecordsTransferEncodingAndTrailers(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/v1/chat/completions",
		struct{ io.Reader }{strings.NewReader(plainBody)})
	require.NoError(t, err)
	request.Trailer = http.Header{"X-End": {"here"}}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	got := recorded(t, server.URL, "Hi there", complete)
	assert.EqualValues(t, -1, got.ContentLength)
	assert.Equal(t, []string{"chunked"}, got.TransferEncoding)
	assert.Equal(t, "here", got.Trailers.Get("x-end"))
}

func TestRequestsAreFoundByTextAndForgotten(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	client := provider.Client{URL: server.URL}
	post(t, server.URL+"/v1/chat/completions", plainBody, "x-trace", "header-marker")
	post(t, server.URL+"/files/path-marker", "body-marker")
	for text, want := range map[string]int{"header-marker": 1, "path-marker": 1, "body-marker": 1, "Hi there": 1, "": 2, "none": 0} {
		found, err := client.Requests(t.Context(), text)
		require.NoError(t, err)
		assert.Len(t, found, want, text)
	}
	require.NoError(t, client.Clear(t.Context()))
	found, err := client.Requests(t.Context(), "")
	require.NoError(t, err)
	assert.Empty(t, found)
}

func TestUploadIsAnsweredWithItsDigest(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	body := bytes.Repeat([]byte("0123456789abcdef"), 200_000) // more than is kept
	var got provider.Request
	require.NoError(t, json.Unmarshal([]byte(post(t, server.URL+"/v1/files?x=1", string(body))), &got))
	digest := sha256.Sum256(body)
	assert.Equal(t, hex.EncodeToString(digest[:]), got.BodySHA256)
	assert.EqualValues(t, len(body), got.BodyLength)
	assert.Len(t, got.Body, 1<<20)
	assert.Equal(t, "/v1/files?x=1", got.Path)
}

func TestUploadIsSeenWhileItArrives(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	reader, writer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := send(t.Context(), t, server.URL+"/v1/files", reader)
		done <- err
	}()
	_, err := writer.Write([]byte("first half"))
	require.NoError(t, err)
	recorded(t, server.URL, "first half", func(r provider.Request) bool { return !r.Complete && r.BodySHA256 == "" })
	require.NoError(t, writer.Close())
	require.NoError(t, <-done)
	recorded(t, server.URL, "first half", complete)
}

func TestHeldStreamSendsItsFirstPieceBeforeItsLast(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	response, err := send(t.Context(), t, server.URL+"/v1/chat/completions", strings.NewReader(streamBody), provider.HeaderHoldStream, "middle")
	require.NoError(t, err)
	lines := bufio.NewReader(response.body)
	for !strings.Contains(line(t, lines), `"content":"small-2026 "`) {
	}
	recorded(t, server.URL, "Hi there", func(r provider.Request) bool { return r.Complete && !r.Answered })
	require.NoError(t, provider.Client{URL: server.URL}.Open(t.Context(), "middle"))
	rest, err := io.ReadAll(lines)
	require.NoError(t, err)
	assert.Contains(t, string(rest), "[DONE]")
}

func line(t *testing.T, lines *bufio.Reader) string {
	t.Helper()
	text, err := lines.ReadString('\n')
	require.NoError(t, err)
	return text
}

func TestHeldAnswerWaits(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	done := make(chan error, 1)
	go func() {
		_, err := send(t.Context(), t, server.URL+"/v1/chat/completions", strings.NewReader(plainBody), provider.HeaderHoldAnswer, "answer")
		done <- err
	}()
	recorded(t, server.URL, "Hi there", func(r provider.Request) bool { return r.Complete && !r.Answered })
	require.NoError(t, provider.Client{URL: server.URL}.Open(t.Context(), "answer"))
	require.NoError(t, <-done)
}

func TestDelaysAreKept(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	begin := time.Now()
	post(t, server.URL+"/v1/chat/completions", plainBody, provider.HeaderDelay, "50ms")
	assert.GreaterOrEqual(t, time.Since(begin), 50*time.Millisecond)
	begin = time.Now()
	answer := post(t, server.URL+"/v1/chat/completions", streamBody, provider.HeaderChunkDelay, "3ms")
	assert.GreaterOrEqual(t, time.Since(begin), time.Duration(strings.Count(answer, "data: ")-1)*3*time.Millisecond)
}

func TestStatusAskedForIsAnswered(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	for status, kind := range map[string]string{
		"503": "server_error", "429": "rate_limit_error", "418": "invalid_request_error",
	} {
		answer := post(t, server.URL+"/v1/chat/completions", plainBody, provider.HeaderStatus, status)
		assert.Contains(t, answer, `"type":"`+kind+`"`)
		assert.Contains(t, answer, "told to answer "+status)
	}
	response, err := send(t.Context(), t, server.URL+"/v1/files", strings.NewReader("x"), provider.HeaderStatus, "507")
	require.NoError(t, err)
	assert.Equal(t, 507, response.status)
}

func TestStatusAndFaultAskedForOnceAreForTheFirstRequest(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	for fault, name := range map[string]string{provider.HeaderStatus: "503", provider.HeaderFault: provider.FaultReset} {
		bad := []string{fault, name, provider.HeaderOnce, fault}
		response, err := send(t.Context(), t, server.URL+"/v1/chat/completions", strings.NewReader(plainBody), bad...)
		assert.True(t, err != nil || response.status == http.StatusServiceUnavailable)
		assert.Contains(t, post(t, server.URL+"/v1/chat/completions", plainBody, bad...), "chat.completion")
	}
}

func TestRecordsWhatItAnswered(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	for _, body := range []string{plainBody, streamBody} {
		answer := post(t, server.URL+"/v1/chat/completions", body)
		assert.Equal(t, answer, string(recorded(t, server.URL, body, complete).Answer))
	}
}

func TestResetComesBeforeAnyByte(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	_, err := send(t.Context(), t, server.URL+"/v1/chat/completions", strings.NewReader(plainBody), provider.HeaderFault, provider.FaultReset)
	require.ErrorIs(t, err, io.EOF)
}

func TestMidStreamResetComesAfterTheFirstPiece(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	response, err := send(t.Context(), t, server.URL+"/v1/chat/completions", strings.NewReader(streamBody),
		provider.HeaderFault, provider.FaultResetMidStream)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, response.status)
	answer, err := io.ReadAll(response.body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Contains(t, string(answer), `"content":"small-2026 "`)
	assert.NotContains(t, string(answer), "[DONE]")
}

func TestEndlessAnswerEndsWhenTheClientLeaves(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	for _, body := range []string{plainBody, streamBody} {
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			response, err := send(ctx, t, server.URL+"/v1/chat/completions", strings.NewReader(body), provider.HeaderFault, provider.FaultEndless)
			if err == nil {
				_, err = io.Copy(io.Discard, response.body)
			}
			done <- err
		}()
		recorded(t, server.URL, body, func(r provider.Request) bool { return r.Complete && !r.Answered })
		leave()
		require.ErrorIs(t, <-done, context.Canceled)
		got := recorded(t, server.URL, body, complete)
		assert.True(t, got.Aborted)
	}
}

func TestUnknownControlIsRefused(t *testing.T) {
	t.Parallel()
	server, _ := start(t)
	for name, value := range map[string]string{
		provider.HeaderDelay: "soon", provider.HeaderChunkDelay: "1", provider.HeaderStatus: "200", provider.HeaderFault: "explode",
	} {
		response, err := send(t.Context(), t, server.URL+"/v1/chat/completions", strings.NewReader(plainBody), name, value)
		require.NoError(t, err)
		assert.Equal(t, http.StatusBadRequest, response.status)
		said, err := io.ReadAll(response.body)
		require.NoError(t, err)
		assert.Contains(t, string(said), name)
	}
}
