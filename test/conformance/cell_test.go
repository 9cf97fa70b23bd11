package conformance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/test/provider"
)

// requestTimeout is longer than any request takes: what hangs fails.
const requestTimeout = time.Minute

// trailer is the one that is sent where trailers are.
const trailer = "X-Checksum"

// A framing is a way to send a body.
type framing struct {
	name   string
	coding func([]byte) []byte // nil for none
	// length is whether the provider is told the body's length.
	length bool
	// trailers is whether Envoy sees trailers behind the body. Its decompressors
	// report there what they did.
	trailers bool
	// apply makes it so.
	apply func(*http.Request)
}

func framings() []framing {
	asIs := func(*http.Request) {}
	coded := func(coding string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("content-encoding", coding) }
	}
	return []framing{
		{name: "plain", length: true, apply: asIs},
		{name: "chunked", apply: chunked},
		{name: "trailers", trailers: true, apply: func(r *http.Request) {
			chunked(r)
			r.Trailer = http.Header{trailer: {"of the end"}}
		}},
		{name: "continue", length: true, apply: func(r *http.Request) { r.Header.Set("expect", "100-continue") }},
		// Envoy's decompressor takes the length off with the coding.
		{name: "gzip", coding: gzipped, trailers: true, apply: coded("gzip")},
		{name: "zstd", coding: zstandard, trailers: true, apply: coded("zstd")},
	}
}

func chunked(r *http.Request) {
	r.Body, r.ContentLength = io.NopCloser(struct{ io.Reader }{r.Body}), -1
}

// protocols are the client's.
var protocols = []string{"HTTP/1.1", "HTTP/2"}

// newClient speaks one protocol, and sends no body before Envoy has asked for
// it where a request expects to be asked.
func newClient(protocol string) *http.Client {
	transport := &http.Transport{Protocols: new(http.Protocols), ExpectContinueTimeout: requestTimeout, DisableCompression: true}
	transport.Protocols.SetHTTP1(protocol == "HTTP/1.1")
	transport.Protocols.SetUnencryptedHTTP2(protocol == "HTTP/2")
	return &http.Client{Transport: transport, Timeout: requestTimeout}
}

// A cell is one request of the matrix.
type cell struct {
	api      api
	size     int
	protocol string
	framing  framing
}

func (c cell) String() string {
	return fmt.Sprintf("%s, %s, %s, %s", c.api.name, byteSize(c.size), c.protocol, c.framing.name)
}

// try sends the cell's request and says what is wrong with what came of it.
func (c cell) try(ctx context.Context, r *rig, client *http.Client) error {
	defer r.provider.Clear()
	want := explain(ctx, r.pipeline, c.api, c.api.sent(c.size, framing{}))
	got, err := c.send(ctx, r.url, client)
	if err != nil {
		return err
	}
	arrived := r.provider.Requests("")
	if want.Answer != nil {
		return refused(want, got, arrived)
	}
	if got.status != http.StatusOK || len(arrived) != 1 {
		return fmt.Errorf("status %d, %d requests arrived: %.200s", got.status, len(arrived), got.body)
	}
	return firstOf(c.arrivedWhole(want.Upstream(), arrived[0]), clean(arrived[0]), same("answer", arrived[0].Answer, got.body))
}

// explain is what the pipeline says of a request, as `pointsman explain` does.
func explain(ctx context.Context, pipeline *filter.Pipeline, a api, body []byte) filter.Verdict {
	admitted, verdict := pipeline.Admit(filter.Request{
		Method: http.MethodPost, Path: a.path,
		Header:   func(string) string { return "" },
		Metadata: func(string, string) string { return "" },
	})
	if admitted == nil {
		return verdict
	}
	return admitted.Decide(ctx, body)
}

// answer is what a client got, whole.
type answer struct {
	status int
	body   []byte
}

func (c cell) send(ctx context.Context, url string, client *http.Client) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+c.api.path, bytes.NewReader(c.api.sent(c.size, c.framing)))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("content-type", "application/json")
	c.framing.apply(request)
	return do(client, request)
}

func do(client *http.Client, request *http.Request) (answer, error) {
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, text}, err
}

// refused holds an answer of pointsman's own.
func refused(want filter.Verdict, got answer, arrived []provider.Request) error {
	if got.status != want.Answer.Status || len(arrived) != 0 {
		return fmt.Errorf("status %d instead of %d, and %d requests arrived: %.200s", got.status, want.Answer.Status, len(arrived), got.body)
	}
	return same("answer", want.Answer.Body, got.body)
}

func (c cell) arrivedWhole(want []byte, arrived provider.Request) error {
	sum := sha256.Sum256(want)
	if !arrived.Complete || arrived.BodySHA256 != hex.EncodeToString(sum[:]) {
		return fmt.Errorf("%d bytes arrived instead of %d, or others", arrived.BodyLength, len(want))
	}
	length := int64(-1)
	if c.framing.length {
		length = int64(len(want))
	}
	if arrived.ContentLength != length {
		return fmt.Errorf("content-length %d instead of %d", arrived.ContentLength, length)
	}
	if sent := c.framing.name == "trailers"; sent != (arrived.Trailers.Get(trailer) == "of the end") {
		return fmt.Errorf("trailers %v", arrived.Trailers)
	}
	return nil
}

// clean holds that a provider saw nothing that was meant for Envoy or pointsman,
// and nothing that Envoy's filters report.
func clean(arrived provider.Request) error {
	for _, name := range append(decision.OwnedHeaders(), "content-encoding", "expect") {
		if values := arrived.Headers.Values(name); len(values) > 0 {
			return fmt.Errorf("%s arrived: %q", name, values)
		}
	}
	for name := range arrived.Trailers {
		if name != trailer {
			return fmt.Errorf("trailer %s arrived", name)
		}
	}
	return nil
}

func same(what string, want, got []byte) error {
	if !bytes.Equal(want, got) {
		return fmt.Errorf("%s %.200q instead of %.200q", what, got, want)
	}
	return nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
