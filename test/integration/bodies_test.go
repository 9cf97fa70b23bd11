package integration

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/test/odd"
	"github.com/pointsman/pointsman/test/provider"
)

// sized is a chat body of that many bytes, most of them an image's, with what
// must survive at both ends. Compression makes it a few times smaller.
func sized(size int) []byte {
	return withImage(size, func(image []byte) []byte { return fmt.Appendf(image, "%08x", uint32(len(image))*2654435761) })
}

// repetitive is one that compression makes a thousand times smaller.
func repetitive(size int) []byte {
	return withImage(size, func(image []byte) []byte { return append(image, "AAAAAAAA"...) })
}

func withImage(size int, grow func([]byte) []byte) []byte {
	const before = `{"seed":12345678901234567890,"top_p":1.0,"model":"auto","messages":[{"role":"user","content":[` +
		`{"type":"text","text":"caf\u00e9"},{"type":"image_url","image_url":{"url":"data:image/png;base64,`
	const after = `"}}]}],"metadata":{"b":1,"a":2}}`
	body := append(make([]byte, 0, size+8), before...)
	for len(body) < size-len(after) {
		body = grow(body)
	}
	return append(body[:size-len(after)], after...)
}

// A framing is one way to send a body.
type framing struct {
	name   string
	client *http.Client
	apply  func(*http.Request)
	// length says whether the provider is told the body's length.
	length bool
}

const trailer = "X-Checksum"

func framings() []framing {
	chunked := func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(struct{ io.Reader }{r.Body}), -1
	}
	h2c := &http.Transport{Protocols: new(http.Protocols)}
	h2c.Protocols.SetUnencryptedHTTP2(true)
	patient := http.DefaultTransport.(*http.Transport).Clone()
	patient.ExpectContinueTimeout = time.Minute // no body before Envoy says so
	return []framing{
		{"content-length", http.DefaultClient, func(*http.Request) {}, true},
		{"chunked", http.DefaultClient, chunked, false},
		{"trailers", http.DefaultClient, func(r *http.Request) {
			chunked(r)
			r.Trailer = http.Header{trailer: {"of the end"}}
		}, false},
		{"expect continue", &http.Client{Transport: patient}, func(r *http.Request) { r.Header.Set("expect", "100-continue") }, true},
		{"HTTP/2", &http.Client{Transport: h2c}, func(*http.Request) {}, true},
		{"HTTP/2 with trailers", &http.Client{Transport: h2c}, func(r *http.Request) {
			chunked(r)
			r.Trailer = http.Header{trailer: {"of the end"}}
		}, false},
	}
}

func TestBodies_OfEverySizeAndFramingArriveAsExplained(t *testing.T) {
	t.Parallel()
	for _, size := range []int{300, 60 << 10, 1 << 20, 5 << 20, 20 << 20} {
		// The framings one after another: some large bodies at once are all that
		// a small machine has time for before Envoy gives pointsman up.
		t.Run(fmt.Sprintf("%d bytes", size), func(t *testing.T) {
			t.Parallel()
			body := sized(size)
			want := explained(t, shared(t).Config, body)
			require.True(t, want.Changed())
			for _, f := range framings() {
				v := visiting(shared(t))
				request := v.request(t, body)
				f.apply(request)
				got := do(t, f.client, request)
				require.Equal(t, http.StatusOK, got.status, got.body)
				got.isDecided(t)
				arrived := v.arrived(t, want.Decision.GetCluster())
				assertBody(t, want.Upstream(), arrived)
				assertClean(t, arrived)
				if f.length {
					assert.EqualValues(t, len(want.Upstream()), arrived.ContentLength, f.name)
					assert.Empty(t, arrived.TransferEncoding, f.name)
				} else {
					assert.EqualValues(t, -1, arrived.ContentLength, f.name)
				}
				assert.Equal(t, request.Trailer.Get(trailer), arrived.Trailers.Get(trailer), f.name)
				assert.Empty(t, arrived.Headers.Get("expect"), f.name)
			}
		})
	}
}

func TestBodies_OfOneByteAreRefusedInEveryFraming(t *testing.T) {
	t.Parallel()
	want := explained(t, shared(t).Config, []byte("x")).Answer
	for _, f := range framings() {
		v := visiting(shared(t))
		request := v.request(t, []byte("x"))
		f.apply(request)
		do(t, f.client, request).isProblem(t, want.Status, string(want.Body))
		assert.Empty(t, v.received(t), f.name)
	}
}

func gzipped(t *testing.T, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	_, err := writer.Write(body)
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	return out.Bytes()
}

func zstandard(t *testing.T, body []byte) []byte {
	t.Helper()
	writer, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return writer.EncodeAll(body, nil)
}

func TestBodies_CompressedOnesAreInflatedWhole(t *testing.T) {
	t.Parallel()
	tests := []struct {
		coding   string
		compress func(*testing.T, []byte) []byte
		body     func(int) []byte
	}{
		{"gzip", gzipped, sized},
		{"gzip", gzipped, repetitive},
		{"zstd", zstandard, sized},
	}
	for _, size := range []int{300, 5 << 20, 20 << 20} {
		for _, test := range tests {
			v := visiting(shared(t))
			body := test.body(size)
			want := explained(t, v.Config, body)
			got := v.ask(t, test.compress(t, body), "content-encoding", test.coding)
			require.Equal(t, http.StatusOK, got.status, "%s of %d: %s", test.coding, size, got.body)
			got.isDecided(t)
			arrived := v.arrived(t, want.Decision.GetCluster())
			assertBody(t, want.Upstream(), arrived)
			assertClean(t, arrived)
			assert.Empty(t, arrived.Headers.Get("content-encoding"))
		}
	}
}

// Envoy inflates zstd a hundredfold and then gives up, which nothing can
// change. What it has by then is no JSON, so no provider gets it.
func TestBodies_TooCompressedForEnvoysZstdAreRefused(t *testing.T) {
	t.Parallel()
	v := visiting(shared(t))
	got := v.ask(t, zstandard(t, repetitive(5<<20)), "content-encoding", "zstd")
	assert.Equal(t, http.StatusBadRequest, got.status)
	assert.Contains(t, got.body, "the body is not valid JSON: it ends too early (at byte ")
	assert.Empty(t, v.received(t))
}

func TestBodies_OverTheLimitAre413InTheClientsDialect(t *testing.T) {
	t.Parallel()
	const tooLarge = `{"error":{"message":"the request body is larger than the limit of 1048576 bytes",` +
		`"type":"invalid_request_error","param":null,"code":"request_too_large"}}`
	codings := map[string]func(*testing.T, []byte) []byte{
		"identity": func(_ *testing.T, body []byte) []byte { return body }, "gzip": gzipped, "zstd": zstandard,
	}
	// One byte over, pointsman has the body and refuses it; far over, Envoy does,
	// unless pointsman is faster with the length that was announced.
	const byPointsman, byEnvoy = "pointsman_request_too_large", "request_payload_too_large"
	for _, size := range []int{odd.Limit + 1, 5 << 20} {
		for coding, compress := range codings {
			body := compress(t, sized(size))
			for _, f := range framings() {
				t.Run(fmt.Sprintf("%s, %s of %d bytes", f.name, coding, size), func(t *testing.T) {
					t.Parallel()
					v := visiting(strict(t))
					request := v.request(t, body, "content-encoding", coding)
					f.apply(request)
					do(t, f.client, request).isProblem(t, http.StatusRequestEntityTooLarge, tooLarge)
					assert.Empty(t, v.received(t))
					by := []string{byPointsman}
					switch announced := f.length && coding == "identity"; {
					case size > odd.Limit+1 && announced:
						by = []string{byPointsman, byEnvoy}
					case size > odd.Limit+1:
						by = []string{byEnvoy}
					}
					assert.Contains(t, by, v.record(t).GetOutcome().GetDetails())
				})
			}
		}
	}
}

// A retried request carries its body again.
func TestBodies_AreSentAgainWhole(t *testing.T) {
	t.Parallel()
	for _, size := range []int{300, 5 << 20} {
		v := visiting(shared(t))
		body := sized(size)
		want := explained(t, v.Config, body)
		got := v.ask(t, body, provider.HeaderStatus, "503", provider.HeaderOnce, v.mark)
		assert.Equal(t, http.StatusOK, got.status, got.body)
		got.isDecided(t)
		arrived := v.received(t)[want.Decision.GetCluster()]
		require.Len(t, arrived, 2)
		assertBody(t, want.Upstream(), arrived[0])
		assertBody(t, want.Upstream(), arrived[1])
		outcome := v.record(t).GetOutcome()
		assert.Equal(t, "answered", outcome.GetKind())
		assert.EqualValues(t, 2, outcome.GetAttempts())
	}
}
