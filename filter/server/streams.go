package server

import (
	"context"

	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// endWith gives the streams that a client keeps open for as long as it runs a
// context that ends with streams: a drain would wait for them in vain. The
// processor's streams are not among them, since each is one request.
func endWith(streams context.Context) grpc.StreamServerInterceptor {
	return func(service any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
		if !keptOpen(info.FullMethod) {
			return handler(service, stream)
		}
		ctx, cancel := context.WithCancel(stream.Context())
		defer cancel()
		defer context.AfterFunc(streams, cancel)()
		return handler(service, &boundStream{ServerStream: stream, ctx: ctx})
	}
}

func keptOpen(method string) bool {
	return method == alsv3.AccessLogService_StreamAccessLogs_FullMethodName ||
		method == grpc_health_v1.Health_Watch_FullMethodName
}

// boundStream is a stream with another context.
type boundStream struct {
	grpc.ServerStream

	ctx context.Context //nolint:containedctx // gRPC's streams hand out their context
}

// Context ends with the client's stream, or with the server's time for such
// streams.
func (s *boundStream) Context() context.Context { return s.ctx }
