// Command echo is an external processor that does nothing: it answers headers,
// sends bodies back as they came, and names one model for all of them, so that
// Envoy routes as it does for pointsman. It swallows access logs.
//
//	echo -listen 127.0.0.1:9002 -model small
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/pointsman/pointsman/filter/decision"
)

// largestMessage is more than any body of the benchmark, in bytes.
const largestMessage = 64 << 20

func main() {
	listen := flag.String("listen", "127.0.0.1:9002", "address to serve gRPC on")
	model := flag.String("model", "", "model that every request is sent to")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := serve(ctx, *listen, *model)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "echo:", err)
		os.Exit(1)
	}
}

// serve answers until the context ends.
func serve(ctx context.Context, address, model string) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(largestMessage))
	extprocv3.RegisterExternalProcessorServer(server, &processor{model: model})
	alsv3.RegisterAccessLogServiceServer(server, &accessLog{})
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	defer context.AfterFunc(ctx, server.Stop)()
	return server.Serve(listener)
}

type processor struct {
	extprocv3.UnimplementedExternalProcessorServer

	model string
}

// Process answers the headers and the body of one request.
func (p *processor) Process(stream extprocv3.ExternalProcessor_ProcessServer) error {
	head, err := stream.Recv()
	if err != nil {
		return ended(err)
	}
	if head.GetProtocolConfig().GetRequestBodyMode() == filterv3.ProcessingMode_FULL_DUPLEX_STREAMED {
		return ended(p.stream(stream))
	}
	if err = stream.Send(headersAnswer(nil)); err != nil {
		return ended(err)
	}
	whole, err := stream.Recv()
	if err != nil {
		return ended(err)
	}
	common := p.routed()
	common.BodyMutation = &extprocv3.BodyMutation{
		Mutation: &extprocv3.BodyMutation_Body{Body: whole.GetRequestBody().GetBody()},
	}
	return stream.Send(bodyAnswer(common))
}

// ended takes an end of Envoy's for one in order.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// stream sends every piece of a body back at once, to the last.
func (p *processor) stream(stream extprocv3.ExternalProcessor_ProcessServer) error {
	if err := stream.Send(headersAnswer(p.routed())); err != nil {
		return err
	}
	for {
		message, err := stream.Recv()
		if err != nil {
			return err
		}
		piece := message.GetRequestBody()
		err = stream.Send(bodyAnswer(&extprocv3.CommonResponse{BodyMutation: &extprocv3.BodyMutation{
			Mutation: &extprocv3.BodyMutation_StreamedResponse{StreamedResponse: &extprocv3.StreamedBodyResponse{
				Body: piece.GetBody(), EndOfStream: piece.GetEndOfStream(),
			}},
		}}))
		if err != nil || piece.GetEndOfStream() {
			return err
		}
	}
}

// routed names the model, and has the route chosen by it.
func (p *processor) routed() *extprocv3.CommonResponse {
	return &extprocv3.CommonResponse{
		HeaderMutation: &extprocv3.HeaderMutation{SetHeaders: []*corev3.HeaderValueOption{{
			Header: &corev3.HeaderValue{Key: decision.HeaderModel, RawValue: []byte(p.model)},
		}}},
		ClearRouteCache: true,
	}
}

func headersAnswer(common *extprocv3.CommonResponse) *extprocv3.ProcessingResponse {
	return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestHeaders{
		RequestHeaders: &extprocv3.HeadersResponse{Response: common},
	}}
}

func bodyAnswer(common *extprocv3.CommonResponse) *extprocv3.ProcessingResponse {
	return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestBody{
		RequestBody: &extprocv3.BodyResponse{Response: common},
	}}
}

type accessLog struct {
	alsv3.UnimplementedAccessLogServiceServer
}

// StreamAccessLogs swallows a stream.
func (*accessLog) StreamAccessLogs(stream alsv3.AccessLogService_StreamAccessLogsServer) error {
	for {
		if _, err := stream.Recv(); err != nil {
			return err
		}
	}
}
