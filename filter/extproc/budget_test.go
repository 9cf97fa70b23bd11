package extproc

import (
	"context"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/config"
)

// wireStream is a stream whose messages go through the codec, as on a wire.
type wireStream struct {
	extprocv3.ExternalProcessor_ProcessServer

	t   *testing.T
	in  []*extprocv3.ProcessingRequest
	out []*extprocv3.ProcessingResponse
}

var _ grpc.ServerStream = (*wireStream)(nil)

func (s *wireStream) Context() context.Context { return s.t.Context() }

func (s *wireStream) RecvMsg(message any) error {
	if len(s.in) == 0 {
		return io.EOF
	}
	wire, err := proto.Marshal(s.in[0])
	require.NoError(s.t, err)
	s.in = s.in[1:]
	return Codec().Unmarshal(inFrames(wire, 1000), message)
}

func (s *wireStream) SendMsg(message any) error {
	wire, err := Codec().Marshal(message)
	require.NoError(s.t, err)
	defer wire.Free()
	response := new(extprocv3.ProcessingResponse)
	require.NoError(s.t, proto.Unmarshal(wire.Materialize(), response))
	s.out = append(s.out, response)
	return nil
}

// ask sends a POST with a body to a server, and returns its last answer.
func ask(t *testing.T, server *Server, m mode, path, text string) *extprocv3.ProcessingResponse {
	t.Helper()
	head := &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_RequestHeaders{RequestHeaders: &extprocv3.HttpHeaders{
			Headers: &corev3.HeaderMap{Headers: []*corev3.HeaderValue{
				{Key: ":method", RawValue: []byte("POST")}, {Key: ":path", RawValue: []byte(path)},
			}},
		}},
		ProtocolConfig: &extprocv3.ProtocolConfiguration{RequestBodyMode: m},
	}
	half := len(text) / 2
	stream := &wireStream{t: t, in: []*extprocv3.ProcessingRequest{head, withBody(text, true)}}
	if m == duplex {
		stream.in = []*extprocv3.ProcessingRequest{head, withBody(text[:half], false), withBody(text[half:], true)}
	}
	require.NoError(t, server.Process(stream))
	require.NotEmpty(t, stream.out)
	return stream.out[len(stream.out)-1]
}

func newServer(t *testing.T, maxInflight int) *Server {
	t.Helper()
	example, err := os.ReadFile("../../deploy/pointsman.yaml")
	require.NoError(t, err)
	cfg, err := config.Parse("pointsman.yaml", example)
	require.NoError(t, err)
	pipeline, err := filter.New(cfg)
	require.NoError(t, err)
	return New(pipeline, maxInflight)
}

func TestBodiesBeyondTheBudgetAreToComeAgain(t *testing.T) {
	t.Parallel()
	text := `{"model":"auto","max_tokens":10,"messages":[{"role":"user","content":"` + strings.Repeat("hello ", 1000) + `"}]}`
	for _, m := range []mode{filterv3.ProcessingMode_BUFFERED, filterv3.ProcessingMode_FULL_DUPLEX_STREAMED} {
		server := newServer(t, len(text)+1000)
		require.True(t, server.budget.take(2000, 0))
		refused := ask(t, server, m, "/v1/chat/completions", text).GetImmediateResponse()
		assert.EqualValues(t, 503, refused.GetStatus().GetCode(), m)
		assert.Equal(t, "pointsman_overloaded", refused.GetDetails())
		assert.JSONEq(t, `{"error":{"message":"too many requests are being read at once: send this one again in a second",
			"type":"server_error","param":null,"code":"overloaded"}}`, string(refused.GetBody()))
		headers := refused.GetHeaders().GetSetHeaders()
		require.Len(t, headers, 2)
		assert.Equal(t, "retry-after", headers[1].GetHeader().GetKey())
		assert.Equal(t, "1", string(headers[1].GetHeader().GetRawValue()))

		refused = ask(t, server, m, "/v1/messages", text).GetImmediateResponse()
		assert.EqualValues(t, 529, refused.GetStatus().GetCode(), "Anthropic's own")
		assert.Contains(t, string(refused.GetBody()), `"overloaded_error"`)
		assert.EqualValues(t, 2000, server.budget.held.Load(), "what is refused is not held")

		server.budget.give(2000)
		taken := ask(t, server, m, "/v1/chat/completions", text)
		assert.Nil(t, taken.GetImmediateResponse(), m)
		assert.Zero(t, server.budget.held.Load(), "what is sent is not held")
	}
}

// Otherwise a body that the configuration allows could never be taken.
func TestABodyAloneIsNeverTooMuch(t *testing.T) {
	t.Parallel()
	text := `{"model":"auto","messages":[{"role":"user","content":"hello"}]}`
	for _, m := range []mode{filterv3.ProcessingMode_BUFFERED, filterv3.ProcessingMode_FULL_DUPLEX_STREAMED} {
		assert.Nil(t, ask(t, newServer(t, 1), m, "/v1/chat/completions", text).GetImmediateResponse())
	}
}

func TestBodiesThatAreRefusedOrMalformedAreGivenBack(t *testing.T) {
	t.Parallel()
	server := newServer(t, 1<<20)
	for _, m := range []mode{filterv3.ProcessingMode_BUFFERED, filterv3.ProcessingMode_FULL_DUPLEX_STREAMED} {
		for _, text := range []string{"", "x", `{"model":"nobody","messages":[]}`, `{"model":"large-2026","messages":[]}`} {
			ask(t, server, m, "/v1/chat/completions", text)
			assert.Zero(t, server.budget.held.Load(), text)
		}
	}
	var m received
	m.budget = &server.budget
	require.Error(t, Codec().Unmarshal(inFrames([]byte("\xff\xff"), 10), &m))
	assert.Zero(t, server.budget.held.Load())
}

// gRPC loses what it was to send where a connection breaks.
func TestWhatIsLostIsGivenBackWhenItIsCollected(t *testing.T) {
	t.Parallel()
	var b budget
	b.limit = 1 << 20
	wire, err := proto.Marshal(withBody(strings.Repeat("x", 10_000), true))
	require.NoError(t, err)
	func() {
		m := received{budget: &b}
		require.NoError(t, Codec().Unmarshal(inFrames(wire, 1000), &m))
		assert.EqualValues(t, len(wire), b.held.Load())
		_ = m.body.edited(nil) // and forgotten
		m.body.free()
	}()
	assert.Eventually(t, func() bool {
		runtime.GC()
		return b.held.Load() == 0
	}, 10*time.Second, time.Millisecond)
}
