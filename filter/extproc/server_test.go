package extproc_test

import (
	"context"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/extproc"
)

// dial serves the example configuration over a real gRPC connection in memory.
func dial(tb testing.TB, added string) extprocv3.ExternalProcessorClient {
	tb.Helper()
	example, err := os.ReadFile("../../deploy/pointsman.yaml")
	require.NoError(tb, err)
	cfg, err := config.Parse("pointsman.yaml", append(example, added...))
	require.NoError(tb, err)
	pipeline, err := filter.New(cfg)
	require.NoError(tb, err)

	listener := bufconn.Listen(1 << 20)
	server := grpc.NewServer(grpc.ForceServerCodecV2(extproc.Codec()))
	extprocv3.RegisterExternalProcessorServer(server, extproc.New(pipeline, int(cfg.GetLimits().GetMaxInflightBytes())))
	go func() { _ = server.Serve(listener) }()
	tb.Cleanup(server.Stop)
	conn, err := grpc.NewClient("passthrough:///memory", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = conn.Close() })
	return extprocv3.NewExternalProcessorClient(conn)
}

type stream = extprocv3.ExternalProcessor_ProcessClient

func open(t *testing.T, client extprocv3.ExternalProcessorClient) stream {
	t.Helper()
	s, err := client.Process(t.Context())
	require.NoError(t, err)
	return s
}

func exchange(t *testing.T, s stream, request *extprocv3.ProcessingRequest) *extprocv3.ProcessingResponse {
	t.Helper()
	require.NoError(t, s.Send(request))
	response, err := s.Recv()
	require.NoError(t, err)
	return response
}

// head is the message for a request's head; headers are name and value by turns.
func head(end bool, headers ...string) *extprocv3.ProcessingRequest {
	var all []*corev3.HeaderValue
	for i := 0; i < len(headers); i += 2 {
		all = append(all, &corev3.HeaderValue{Key: headers[i], RawValue: []byte(headers[i+1])})
	}
	return &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_RequestHeaders{
			RequestHeaders: &extprocv3.HttpHeaders{Headers: &corev3.HeaderMap{Headers: all}, EndOfStream: end},
		},
		ProtocolConfig: &extprocv3.ProtocolConfiguration{RequestBodyMode: filterv3.ProcessingMode_BUFFERED},
	}
}

func chatHead(more ...string) *extprocv3.ProcessingRequest {
	return head(false, append([]string{":method", "POST", ":path", "/v1/chat/completions"}, more...)...)
}

func body(text string, end bool) *extprocv3.ProcessingRequest {
	return &extprocv3.ProcessingRequest{Request: &extprocv3.ProcessingRequest_RequestBody{
		RequestBody: &extprocv3.HttpBody{Body: []byte(text), EndOfStream: end},
	}}
}

func requireEnd(t *testing.T, s stream) {
	t.Helper()
	_, err := s.Recv()
	require.ErrorIs(t, err, io.EOF, "the stream ends once the request is decided")
}

func setHeaders(mutation *extprocv3.HeaderMutation) map[string]string {
	set := map[string]string{}
	for _, option := range mutation.GetSetHeaders() {
		set[option.GetHeader().GetKey()] = string(option.GetHeader().GetRawValue())
	}
	return set
}

const hello = `{"model":"auto","messages":[{"role":"user","content":"hello"}]}`

func TestProcessRewritesTheBodyAndEndsTheStream(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	continued := exchange(t, s, chatHead("content-length", "64"))
	assert.IsType(t, &extprocv3.ProcessingResponse_RequestHeaders{}, continued.GetResponse())

	response := exchange(t, s, body(hello, true))
	requireEnd(t, s)
	common := response.GetRequestBody().GetResponse()
	want := strings.Replace(hello, "auto", "small-2026", 1)
	assert.Equal(t, want, string(common.GetBodyMutation().GetBody()))
	assert.True(t, common.GetClearRouteCache())
	set := setHeaders(common.GetHeaderMutation())
	assert.Equal(t, "69", set["content-length"])
	assert.Len(t, want, 69)
	assert.Equal(t, "small", set[decision.HeaderModel])
	assert.Contains(t, common.GetHeaderMutation().GetRemoveHeaders(), decision.HeaderPass)

	fields := response.GetDynamicMetadata().GetFields()[decision.Namespace].GetStructValue().GetFields()
	assert.Equal(t, "small", fields["model"].GetStringValue())
	assert.Equal(t, set[decision.HeaderDecision], fields["id"].GetStringValue())
}

func TestProcessTakesABodyForWholeAlsoWhenTrailersFollow(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	exchange(t, s, chatHead())
	response := exchange(t, s, body(hello, false))
	requireEnd(t, s)
	assert.NotEmpty(t, response.GetRequestBody().GetResponse().GetBodyMutation().GetBody())
}

func TestProcessGivesAChunkedBodyNoLength(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	exchange(t, s, chatHead("transfer-encoding", "chunked"))
	set := setHeaders(exchange(t, s, body(hello, true)).GetRequestBody().GetResponse().GetHeaderMutation())
	assert.NotContains(t, set, "content-length")
}

func TestProcessLeavesABodyAloneThatIsNotChanged(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	exchange(t, s, chatHead("content-length", "69"))
	common := exchange(t, s, body(strings.Replace(hello, "auto", "large-2026", 1), true)).GetRequestBody().GetResponse()
	assert.Nil(t, common.GetBodyMutation())
	assert.NotContains(t, setHeaders(common.GetHeaderMutation()), "content-length")
	assert.Equal(t, "large", setHeaders(common.GetHeaderMutation())[decision.HeaderModel])
}

func TestProcessAnswersAnEmptyPostInTheHeaderPhase(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	response := exchange(t, s, head(true, ":method", "POST", ":path", "/v1/chat/completions"))
	requireEnd(t, s)
	assert.Equal(t, int32(400), int32(response.GetImmediateResponse().GetStatus().GetCode()))
}

func TestProcessAnswersTrailersWithoutABody(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	exchange(t, s, chatHead())
	response := exchange(t, s, &extprocv3.ProcessingRequest{Request: &extprocv3.ProcessingRequest_RequestTrailers{}})
	requireEnd(t, s)
	assert.Equal(t, int32(400), int32(response.GetImmediateResponse().GetStatus().GetCode()))
}

func TestProcessAnswersInTheClientsDialect(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	exchange(t, s, chatHead())
	immediate := exchange(t, s, body(`{"model":"gpt-9","messages":[]}`, true)).GetImmediateResponse()
	requireEnd(t, s)
	assert.Equal(t, int32(404), int32(immediate.GetStatus().GetCode()))
	assert.Equal(t, "application/json", setHeaders(immediate.GetHeaders())["content-type"])
	assert.Equal(t, "pointsman_model_not_found", immediate.GetDetails())
	assert.JSONEq(t, `{"error":{"message":"unknown model \"gpt-9\": ask for auto, auto-fast or for a model of the catalogue",
		"type":"invalid_request_error","param":"model","code":"model_not_found"}}`, string(immediate.GetBody()))
}

func TestProcessLetsOtherPathsGoWithTheirBodiesUnread(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	response := exchange(t, s, head(false, ":method", "POST", ":path", "/v1/files"))
	requireEnd(t, s)
	common := response.GetRequestHeaders().GetResponse()
	assert.False(t, common.GetClearRouteCache())
	assert.Nil(t, common.GetBodyMutation())
}

// The route of the list of models has no use for bodies, and says so.
func TestProcessListsModelsOnARouteThatSendsNoBodies(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	message := head(true, ":method", "GET", ":path", "/v1/models")
	message.ProtocolConfig.RequestBodyMode = filterv3.ProcessingMode_NONE
	response := exchange(t, s, message)
	requireEnd(t, s)
	assert.Contains(t, string(response.GetImmediateResponse().GetBody()), `"auto"`)
}

func TestProcessRoutesAnewWhereAClientSetOwnedHeaders(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	response := exchange(t, s, head(false, ":method", "POST", ":path", "/v1/files", "x-selected-model", "large"))
	common := response.GetRequestHeaders().GetResponse()
	assert.True(t, common.GetClearRouteCache())
	assert.Contains(t, common.GetHeaderMutation().GetRemoveHeaders(), "x-selected-model")
}

func TestProcessMarksWhatIsPassedThrough(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, "unknown_models: pass_through\n"))
	exchange(t, s, chatHead())
	response := exchange(t, s, body(`{"model":"gpt-9","messages":[]}`, true))
	common := response.GetRequestBody().GetResponse()
	assert.Equal(t, map[string]string{decision.HeaderPass: "1"}, setHeaders(common.GetHeaderMutation()))
	assert.True(t, common.GetClearRouteCache())
	assert.Nil(t, response.GetDynamicMetadata())
}

func TestProcessReadsThePrincipalFromMetadata(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, "principal: {metadata: {namespace: jwt, key: team}}\n"))
	message := chatHead()
	message.MetadataContext = &corev3.Metadata{FilterMetadata: map[string]*structValue{"jwt": fields("team", "green")}}
	exchange(t, s, message)
	response := exchange(t, s, body(hello, true))
	decided := response.GetDynamicMetadata().GetFields()[decision.Namespace].GetStructValue().GetFields()
	assert.Equal(t, "green", decided["principal"].GetStringValue())
}

// Header values may hold any byte, and dynamic metadata holds UTF-8 alone.
func TestProcessCarriesAPrincipalThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, "principal: {header: x-team}\n"))
	exchange(t, s, chatHead("x-team", "bl\xfce"))
	response := exchange(t, s, body(hello, true))
	decided := response.GetDynamicMetadata().GetFields()[decision.Namespace].GetStructValue().GetFields()
	assert.Equal(t, "bl\uFFFDe", decided["principal"].GetStringValue())
}

// What cannot be answered must be an error: Envoy takes a stream that just ends
// for "continue".
func TestProcessFailsWhereItCannotAnswer(t *testing.T) {
	t.Parallel()
	client := dial(t, "")
	streamed := chatHead()
	streamed.ProtocolConfig.RequestBodyMode = filterv3.ProcessingMode_STREAMED
	partial := chatHead()
	partial.ProtocolConfig.RequestBodyMode = filterv3.ProcessingMode_BUFFERED_PARTIAL
	bodiless := chatHead()
	bodiless.ProtocolConfig.RequestBodyMode = filterv3.ProcessingMode_NONE
	for name, message := range map[string]*extprocv3.ProcessingRequest{
		"STREAMED":                streamed,
		"BUFFERED_PARTIAL":        partial,
		"a body that is not sent": bodiless,
		"a body without headers":  body(hello, true),
		"response headers":        {Request: &extprocv3.ProcessingRequest_ResponseHeaders{}},
		"nothing":                 {},
	} {
		s := open(t, client)
		require.NoError(t, s.Send(message))
		_, err := s.Recv()
		assert.Equal(t, codes.FailedPrecondition, status.Code(err), name)
	}
}

func TestProcessEndsQuietlyWhenEnvoyGivesUp(t *testing.T) {
	t.Parallel()
	s := open(t, dial(t, ""))
	exchange(t, s, chatHead())
	require.NoError(t, s.CloseSend())
	requireEnd(t, s)
}
