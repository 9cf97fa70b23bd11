package server

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/pointsman/pointsman/filter/accesslog"
	"github.com/pointsman/pointsman/filter/config"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	soon  = 10 * time.Second // longer than anything here takes
	never = time.Hour
	tick  = 2 * time.Millisecond
)

// processor echoes, or does what a body asks for.
type processor struct {
	extprocv3.UnimplementedExternalProcessorServer

	began   chan struct{} // a blocked request has begun
	release chan struct{} // lets blocked requests go on
}

func (p *processor) Process(stream extprocv3.ExternalProcessor_ProcessServer) error {
	request, err := stream.Recv()
	if err != nil {
		return err
	}
	switch string(request.GetRequestBody().GetBody()) {
	case "panic":
		panic("index out of range")
	case "block":
		p.began <- struct{}{}
		select {
		case <-p.release:
		case <-stream.Context().Done():
			return stream.Context().Err()
		}
	}
	return stream.Send(&extprocv3.ProcessingResponse{
		Response: &extprocv3.ProcessingResponse_RequestBody{RequestBody: &extprocv3.BodyResponse{}},
	})
}

// fixture is a running server and clients of it.
type fixture struct {
	*Server

	processor *processor
	logs      *observer.ObservedLogs
	records   *bytes.Buffer
	conn      *grpc.ClientConn
	terminate context.CancelFunc
	done      chan error
}

func testConfig(limit int32) *config.Config {
	return &config.Config{Hash: "c0ffee", Config: &configv1.Config{
		Listen: &configv1.Listen{Grpc: new("127.0.0.1:0"), Admin: new("127.0.0.1:0")},
		Limits: &configv1.Limits{MaxBodyBytes: new(limit)},
		Models: []*configv1.Model{{}, {}},
	}}
}

func start(t *testing.T, cfg *config.Config, drain Drain) *fixture {
	t.Helper()
	core, logs := observer.New(zapcore.InfoLevel)
	f := &fixture{
		processor: &processor{began: make(chan struct{}), release: make(chan struct{})},
		logs:      logs,
		records:   &bytes.Buffer{},
		done:      make(chan error, 1),
	}
	log, err := accesslog.OpenLog(accesslog.Stdout, f.records)
	require.NoError(t, err)
	logger := zap.New(core)
	f.Server, err = New(cfg, Services{Processor: f.processor, AccessLog: accesslog.New(cfg, log, logger)}, drain, logger)
	require.NoError(t, err)
	f.conn, err = grpc.NewClient(addressOf(f.grpcListener), grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, f.conn.Close()) })
	ctx, cancel := context.WithCancel(context.Background())
	f.terminate = cancel
	go func() { f.done <- f.Run(ctx) }()
	t.Cleanup(func() { cancel(); f.Stop() })
	require.Eventually(t, func() bool { return f.readyz(t) == "OK ready" }, soon, tick)
	return f
}

func (f *fixture) stopped(t *testing.T) {
	t.Helper()
	select {
	case err := <-f.done:
		require.NoError(t, err)
	case <-time.After(soon):
		require.FailNow(t, "the server did not stop")
	}
}

func (f *fixture) get(t *testing.T, method, path string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "http://"+addressOf(f.adminListener)+path, nil)
	require.NoError(t, err)
	transport := &http.Transport{DisableKeepAlives: true}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { assert.NoError(t, response.Body.Close()) }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, strings.TrimSpace(string(body))
}

func (f *fixture) readyz(t *testing.T) string {
	t.Helper()
	code, body := f.get(t, http.MethodGet, "/readyz")
	return strings.Join([]string{http.StatusText(code), body}, " ")
}

func (f *fixture) health(t *testing.T, service string) string {
	t.Helper()
	answer, err := grpc_health_v1.NewHealthClient(f.conn).
		Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: service})
	if err != nil {
		return status.Code(err).String()
	}
	return answer.GetStatus().String()
}

func (f *fixture) send(ctx context.Context, body string) (extprocv3.ExternalProcessor_ProcessClient, error) {
	stream, err := extprocv3.NewExternalProcessorClient(f.conn).Process(ctx)
	if err != nil {
		return nil, err
	}
	return stream, stream.Send(&extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_RequestBody{RequestBody: &extprocv3.HttpBody{Body: []byte(body)}},
	})
}

func (f *fixture) process(ctx context.Context, body string) error {
	stream, err := f.send(ctx, body)
	if err != nil {
		return err
	}
	_, err = stream.Recv()
	return err
}

// begin leaves a request under way that ends when the processor is released.
func (f *fixture) begin(t *testing.T) extprocv3.ExternalProcessor_ProcessClient {
	t.Helper()
	stream, err := f.send(t.Context(), "block")
	require.NoError(t, err)
	<-f.processor.began
	return stream
}

func TestReadyServerServesEverythingOnItsPorts(t *testing.T) {
	t.Parallel()
	f := start(t, testConfig(1000), Drain{})
	for _, service := range []string{"", "envoy.service.ext_proc.v3.ExternalProcessor", "envoy.service.accesslog.v3.AccessLogService"} {
		assert.Equal(t, "SERVING", f.health(t, service), service)
	}
	assert.Equal(t, "NotFound", f.health(t, "another"))
	require.NoError(t, f.process(t.Context(), "hello"))
	entries, err := alsv3.NewAccessLogServiceClient(f.conn).StreamAccessLogs(t.Context())
	require.NoError(t, err)
	_, err = entries.CloseAndRecv()
	require.NoError(t, err)

	code, body := f.get(t, http.MethodGet, "/healthz")
	assert.Equal(t, "alive", body)
	assert.Equal(t, http.StatusOK, code)
	code, _ = f.get(t, http.MethodPost, "/readyz")
	assert.Equal(t, http.StatusMethodNotAllowed, code)
	code, _ = f.get(t, http.MethodGet, "/")
	assert.Equal(t, http.StatusNotFound, code)
	f.terminate()
	f.stopped(t)
}

func TestReadyLineSaysWhereAndWithWhat(t *testing.T) {
	t.Parallel()
	f := start(t, testConfig(1000), Drain{})
	require.Equal(t, 1, f.logs.FilterMessage("ready").Len())
	assert.Equal(t, map[string]any{
		"grpc": addressOf(f.grpcListener), "admin": addressOf(f.adminListener), "config": "c0ffee", "models": int64(2),
	}, f.logs.FilterMessage("ready").All()[0].ContextMap())
	f.terminate()
	f.stopped(t)
}

func TestDrainFlipsReadinessWhileItGoesOnServing(t *testing.T) {
	t.Parallel()
	f := start(t, testConfig(1000), Drain{Grace: never, Timeout: never})
	f.terminate()
	require.Eventually(t, func() bool { return f.readyz(t) == "Service Unavailable draining" }, soon, tick)
	assert.Equal(t, "NOT_SERVING", f.health(t, ""))
	assert.Equal(t, "NOT_SERVING", f.health(t, "envoy.service.ext_proc.v3.ExternalProcessor"))
	require.NoError(t, f.process(t.Context(), "hello"), "a request that Envoy still sends is served")
	f.Stop()
	f.stopped(t)
	require.Error(t, f.process(t.Context(), "hello"))
}

func TestDrainFinishesWhatHasBegun(t *testing.T) {
	t.Parallel()
	f := start(t, testConfig(1000), Drain{Timeout: never})
	begun := f.begin(t)
	f.terminate()
	require.Eventually(t, func() bool { return f.process(t.Context(), "hello") != nil }, soon, tick, "nothing new is taken")
	assert.Empty(t, f.done)
	close(f.processor.release)
	_, err := begun.Recv()
	require.NoError(t, err)
	f.stopped(t)
}

func TestDrainIsBounded(t *testing.T) {
	t.Parallel()
	f := start(t, testConfig(1000), Drain{Timeout: tick})
	begun := f.begin(t)
	f.terminate()
	f.stopped(t)
	_, err := begun.Recv()
	require.Error(t, err)
	assert.Equal(t, 1, f.logs.FilterMessageSnippet("did not finish in time").Len())
}

func TestStopCutsADrainShort(t *testing.T) {
	t.Parallel()
	f := start(t, testConfig(1000), Drain{Timeout: never})
	begun := f.begin(t)
	f.terminate()
	require.Eventually(t, func() bool { return f.process(t.Context(), "hello") != nil }, soon, tick)
	f.Stop()
	f.Stop()
	f.stopped(t)
	_, err := begun.Recv()
	require.Error(t, err)
}

func TestDrainDoesNotWaitForStreamsThatStayOpen(t *testing.T) {
	t.Parallel()
	f := start(t, testConfig(1000), Drain{Timeout: never})
	entries, err := alsv3.NewAccessLogServiceClient(f.conn).StreamAccessLogs(t.Context())
	require.NoError(t, err)
	require.NoError(t, entries.Send(&alsv3.StreamAccessLogsMessage{}))
	watch, err := grpc_health_v1.NewHealthClient(f.conn).Watch(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	require.NoError(t, err)
	_, err = watch.Recv()
	require.NoError(t, err)
	f.terminate()
	f.stopped(t)
	require.NoError(t, entries.RecvMsg(&alsv3.StreamAccessLogsResponse{}), "the access log ends in good order")
}

func TestPanicCostsOneRequestOnly(t *testing.T) {
	t.Parallel()
	f := start(t, testConfig(1000), Drain{})
	assert.Equal(t, codes.Internal, status.Code(f.process(t.Context(), "panic")))
	require.NoError(t, f.process(t.Context(), "hello"))
	panics := f.logs.FilterMessage("a handler panicked").All()
	require.Len(t, panics, 1)
	fields := panics[0].ContextMap()
	assert.Equal(t, "/envoy.service.ext_proc.v3.ExternalProcessor/Process", fields["method"])
	assert.Equal(t, "index out of range", fields["reason"])
	assert.Contains(t, fields["stack"], "(*processor).Process")
	f.terminate()
	f.stopped(t)
}

func TestPanicOfAUnaryCallIsAnError(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zapcore.ErrorLevel)
	_, err := guard{zap.New(core)}.unary(t.Context(), nil, &grpc.UnaryServerInfo{FullMethod: "/a/B"},
		func(context.Context, any) (any, error) { panic("no") })
	assert.Equal(t, codes.Internal, status.Code(err))
	assert.Equal(t, 1, logs.Len())
}

func TestLargestBodyFitsIntoAMessage(t *testing.T) {
	t.Parallel()
	const limit = 5 << 20
	f := start(t, testConfig(limit), Drain{})
	// One byte more than the limit must arrive too, to be refused properly.
	require.NoError(t, f.process(t.Context(), strings.Repeat("x", limit+1)))
	assert.Equal(t, codes.ResourceExhausted, status.Code(f.process(t.Context(), strings.Repeat("x", limit+receiveHeadroom))))
	f.terminate()
	f.stopped(t)
}

func TestRunFailsWhenAPortFails(t *testing.T) {
	t.Parallel()
	f := start(t, testConfig(1000), Drain{Grace: never})
	require.NoError(t, f.grpcListener.Close())
	select {
	case err := <-f.done:
		require.ErrorIs(t, err, net.ErrClosed)
	case <-time.After(soon):
		require.FailNow(t, "the server did not notice")
	}
}
