package server

import (
	"context"
	"fmt"

	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// guard turns the panic of a handler into an Internal error for its caller and
// a line with the stack for us. Envoy then does what its failure mode says with
// that one request.
type guard struct{ logger *zap.Logger }

func (g guard) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (_ any, err error) {
	defer g.recover(info.FullMethod, &err)
	return handler(ctx, req)
}

func (g guard) stream(service any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) (err error) {
	defer g.recover(info.FullMethod, &err)
	return handler(service, stream)
}

func (g guard) recover(method string, err *error) {
	reason := recover()
	if reason == nil {
		return
	}
	g.logger.Error("a handler panicked",
		zap.String("method", method), zap.String("reason", fmt.Sprint(reason)), zap.Stack("stack"))
	*err = status.Error(codes.Internal, "pointsman failed on this request; its log says how")
}
