package extproc

import (
	"errors"
	"io"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/pointsman/pointsman/filter"
)

// Server is Envoy's external processor.
type Server struct {
	extprocv3.UnimplementedExternalProcessorServer

	pipeline *filter.Pipeline
}

// New returns a server that decides by a pipeline.
func New(pipeline *filter.Pipeline) *Server { return &Server{pipeline: pipeline} }

// Process serves one request. It returns nil once the request is decided, or
// when Envoy has given it up, and a gRPC error for what it cannot answer.
func (s *Server) Process(stream extprocv3.ExternalProcessor_ProcessServer) error {
	e := exchange{pipeline: s.pipeline}
	for {
		message, err := stream.Recv()
		if givenUp(err) {
			return nil
		}
		if err != nil {
			return err
		}
		response, err := e.answer(message)
		if err != nil {
			return err
		}
		if err := stream.Send(response); err != nil || e.decided {
			return err
		}
	}
}

// givenUp reports whether Envoy has ended the stream: it did so because it needs
// no answer, or because the client is gone.
func givenUp(err error) bool {
	return errors.Is(err, io.EOF) || status.Code(err) == codes.Canceled
}

// exchange is one request in the making.
type exchange struct {
	pipeline *filter.Pipeline
	headers  *corev3.HeaderMap
	admitted *filter.Admitted // set while the body is awaited
	decided  bool
}

func (e *exchange) answer(message *extprocv3.ProcessingRequest) (*extprocv3.ProcessingResponse, error) {
	switch part := message.GetRequest().(type) {
	case *extprocv3.ProcessingRequest_RequestHeaders:
		return e.onHeaders(part.RequestHeaders, message)
	case *extprocv3.ProcessingRequest_RequestBody:
		return e.onBody(part.RequestBody.GetBody(), inBody)
	case *extprocv3.ProcessingRequest_RequestTrailers:
		// Trailers instead of a body: the body is empty.
		return e.onBody(nil, inTrailers)
	default:
		return nil, status.Errorf(codes.FailedPrecondition,
			"ext_proc sent %T: set the response modes of processing_mode to SKIP or NONE", part)
	}
}

// onHeaders judges the head of the request. Without a body to come, everything
// is decided here.
func (e *exchange) onHeaders(head *extprocv3.HttpHeaders, message *extprocv3.ProcessingRequest) (*extprocv3.ProcessingResponse, error) {
	e.headers = head.GetHeaders()
	admitted, verdict := e.pipeline.Admit(e.request(message.GetMetadataContext()))
	if err := checkMode(message.GetProtocolConfig(), admitted != nil); err != nil {
		return nil, err
	}
	switch {
	case admitted == nil:
		return e.decide(verdict, inHeaders), nil
	case head.GetEndOfStream():
		return e.decide(admitted.Decide(nil), inHeaders), nil
	default:
		e.admitted = admitted
		return wantBody(), nil
	}
}

// onBody decides by the body. That it is whole is what BUFFERED means, also
// where trailers follow and the end of the stream is not yet announced.
func (e *exchange) onBody(body []byte, p phase) (*extprocv3.ProcessingResponse, error) {
	if e.admitted == nil {
		return nil, status.Error(codes.FailedPrecondition,
			"ext_proc sent a body without headers: set request_header_mode to SEND")
	}
	return e.decide(e.admitted.Decide(body), p), nil
}

func (e *exchange) decide(verdict filter.Verdict, p phase) *extprocv3.ProcessingResponse {
	e.decided = true
	return e.respond(verdict, p)
}

// checkMode refuses the body modes that this server does not speak. Without a
// body, as on a route that only lists models, it has no use for one either.
// Envoy announces its mode with the first message; before 1.35 or so it did not.
func checkMode(announced *extprocv3.ProtocolConfiguration, bodyWanted bool) error {
	mode := announced.GetRequestBodyMode()
	if announced == nil || mode == buffered || mode == none && !bodyWanted {
		return nil
	}
	return status.Errorf(codes.FailedPrecondition,
		"ext_proc runs with request_body_mode %v: pointsman needs BUFFERED", mode)
}
