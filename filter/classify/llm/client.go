package llm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"go.uber.org/zap"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

const (
	// maxReply bounds how much of an answer is read, in bytes. The answer itself
	// has a hundred; the rest is room for models that explain themselves.
	maxReply = 64 << 10
	// pingAfter and pingTimeout find out over HTTP/2 that the network has lost a
	// connection; until then every question on it would run out of time.
	pingAfter   = 5 * time.Second
	pingTimeout = 2 * time.Second
)

// client asks one model at one server.
type client struct {
	http   *http.Client
	url    string
	key    string // empty: none
	model  string
	logger *zap.Logger
	// plain is set once the server has refused what plainBody leaves out.
	plain atomic.Bool
}

func newClient(settings *configv1.LlmClassifier, key string, logger *zap.Logger) *client {
	return &client{
		http: &http.Client{
			Transport: transport(int(settings.GetMaxConcurrent())),
			// The key goes to where the configuration says, and nowhere else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		url:    strings.TrimSuffix(settings.GetBaseUrl(), "/") + "/chat/completions",
		key:    key,
		model:  settings.GetModel(),
		logger: logger,
	}
}

// transport keeps as many connections as there can be questions. It uses the
// proxy that the environment names.
func transport(connections int) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		MaxIdleConnsPerHost:    connections,
		IdleConnTimeout:        time.Minute,
		MaxResponseHeaderBytes: maxReply,
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingTimeout},
	}
}

// ask asks, with the whole body first. A server that refuses it, but not the
// plain one, is asked with that from then on.
func (c *client) ask(ctx context.Context, q question) (answer, error) {
	if c.plain.Load() {
		return c.post(ctx, plainBody(c.model, q))
	}
	said, err := c.post(ctx, body(c.model, q))
	if !refusedBody(err) {
		return said, err
	}
	said, err = c.post(ctx, plainBody(c.model, q))
	if err == nil && !c.plain.Swap(true) {
		c.logger.Info("the LLM classifier's server takes no response_format or no temperature; it is asked without them",
			zap.String("url", c.url), zap.String("model", c.model))
	}
	return said, err
}

// refusedBody reports an answer that says that the body is not right.
func refusedBody(err error) bool {
	failed, ok := errors.AsType[*unusedError](err)
	return ok && (failed.status == http.StatusBadRequest || failed.status == http.StatusUnprocessableEntity)
}

func (c *client) post(ctx context.Context, body completion) (answer, error) {
	request, err := c.request(ctx, body)
	if err != nil {
		return answer{}, &unusedError{why: Unreachable, cause: err}
	}
	response, err := c.http.Do(request)
	if err != nil {
		return answer{}, broken(ctx, Unreachable, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return answer{}, refused(response.StatusCode, retryAfter(response.Header))
	}
	reply, err := io.ReadAll(io.LimitReader(response.Body, maxReply+1))
	switch {
	case err != nil:
		return answer{}, broken(ctx, BrokenOff, err)
	case len(reply) > maxReply:
		return answer{}, unused(TooLarge)
	default:
		return readReply(reply)
	}
}

func (c *client) request(ctx context.Context, body completion) (*http.Request, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("accept", "application/json")
	request.Header.Set("user-agent", "pointsman")
	if c.key != "" {
		request.Header.Set("authorization", "Bearer "+c.key)
	}
	// To ask again does no harm: this lets net/http do so, unseen, where the
	// server has closed a connection that it had kept (it sends no such header).
	request.Header["Idempotency-Key"] = nil
	return request, nil
}

// retryAfter is how long a server asks to be left alone, in whole seconds; the
// other form of the header is a date.
func retryAfter(header http.Header) time.Duration {
	value := header.Get("retry-after")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(time.Until(date), 0)
	}
	return 0
}
