package server

import (
	"context"
	"time"

	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/extproc"
)

// receiveHeadroom is what a message may have beyond the largest body, in bytes:
// headers, attributes and metadata, and the body of a request that is just too
// large, which pointsman refuses in the client's own dialect.
const receiveHeadroom = 1 << 20

const (
	// handshakeTimeout is how long a new connection may take to say that it
	// speaks HTTP/2.
	handshakeTimeout = 10 * time.Second
	// An Envoy that has been silent for pingAfter is asked whether it is there,
	// and given up after pingTimeout: the network may lose one without a word.
	pingAfter   = time.Minute
	pingTimeout = 20 * time.Second
	// minPing is how often Envoy's own connection_keepalive may ask. gRPC's
	// default, five minutes, closes connections that ask more often.
	minPing = 5 * time.Second
)

// newGRPC is the gRPC server with everything registered. Streams that Envoy
// keeps open end when streams is done.
func newGRPC(cfg *config.Config, services Services, checks *health.Server, streams context.Context, logger *zap.Logger) *grpc.Server {
	guard := guard{logger: logger}
	server := grpc.NewServer(
		grpc.MaxRecvMsgSize(int(cfg.GetLimits().GetMaxBodyBytes())+receiveHeadroom),
		grpc.ForceServerCodecV2(extproc.Codec()),
		grpc.ConnectionTimeout(handshakeTimeout),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: pingAfter, Timeout: pingTimeout}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: minPing, PermitWithoutStream: true}),
		grpc.ChainUnaryInterceptor(guard.unary),
		grpc.ChainStreamInterceptor(guard.stream, endWith(streams)),
	)
	extprocv3.RegisterExternalProcessorServer(server, services.Processor)
	alsv3.RegisterAccessLogServiceServer(server, services.AccessLog)
	grpc_health_v1.RegisterHealthServer(server, checks)
	return server
}

// checkedServices are the names that health checks may ask about; the empty one
// is the server as a whole.
func checkedServices() []string {
	return []string{"", extprocv3.ExternalProcessor_ServiceDesc.ServiceName, alsv3.AccessLogService_ServiceDesc.ServiceName}
}

func newHealth() *health.Server {
	checks := health.NewServer()
	for _, name := range checkedServices() {
		checks.SetServingStatus(name, grpc_health_v1.HealthCheckResponse_NOT_SERVING)
	}
	return checks
}

func serving(checks *health.Server) {
	for _, name := range checkedServices() {
		checks.SetServingStatus(name, grpc_health_v1.HealthCheckResponse_SERVING)
	}
}
