package extproc

import (
	"errors"
	"fmt"
	"io"

	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/pointsman/pointsman/filter"
)

// Server is Envoy's external processor.
type Server struct {
	extprocv3.UnimplementedExternalProcessorServer

	pipeline *filter.Pipeline
	budget   budget
}

// New returns a server that decides by a pipeline and holds so many bytes of
// bodies at once. It asks clients to try again later where there are more.
func New(pipeline *filter.Pipeline, maxInflight int) *Server {
	return &Server{pipeline: pipeline, budget: budget{limit: int64(maxInflight)}}
}

// Process serves one request. It returns nil once the request is decided and
// all of its answer is sent, or when Envoy has given it up, and a gRPC error for
// what it cannot answer.
func (s *Server) Process(stream extprocv3.ExternalProcessor_ProcessServer) error {
	err := s.process(stream)
	if givenUp(err) {
		return nil
	}
	return err
}

func (s *Server) process(stream extprocv3.ExternalProcessor_ProcessServer) error {
	first, err := receive(stream, nil)
	if err != nil {
		return err
	}
	if first.head == nil {
		return unexpected(first, "set request_header_mode to SEND")
	}
	e := &exchange{stream: stream, budget: &s.budget, headers: first.head.headers}
	admitted, verdict := s.pipeline.Admit(e.request(first.GetMetadataContext()))
	announced, err := modeOf(first.GetProtocolConfig(), admitted != nil)
	if err != nil {
		return err
	}
	if admitted != nil && first.head.last {
		admitted, verdict = nil, admitted.Decide(stream.Context(), nil)
	}
	switch {
	case admitted != nil && announced == duplex:
		return e.gather(admitted)
	case admitted != nil:
		return e.awaitBody(admitted)
	case announced == duplex && verdict.Answer == nil && !first.head.last:
		return e.echo(verdict)
	default:
		return stream.SendMsg(e.answerHead(verdict))
	}
}

// givenUp reports whether Envoy has ended the stream: it did so because it needs
// no answer, or because the client is gone.
func givenUp(err error) bool {
	return errors.Is(err, io.EOF) || status.Code(err) == codes.Canceled
}

// exchange is one request in the making.
type exchange struct {
	stream  grpc.ServerStream
	budget  *budget
	headers []header
}

// receive receives a message that is counted in a budget, if there is one.
func receive(stream grpc.ServerStream, counted *budget) (*received, error) {
	message := &received{budget: counted}
	return message, stream.RecvMsg(message)
}

func (e *exchange) send(response *extprocv3.ProcessingResponse) error {
	return e.stream.SendMsg(&sent{ProcessingResponse: response})
}

// unexpected is the error for a message that Envoy should not have sent, with
// the setting that makes it not send it.
func unexpected(message *received, remedy string) error {
	what := fmt.Sprintf("%T", message.GetRequest())
	switch {
	case message.head != nil:
		what = "another head"
	case message.body != nil:
		message.body.free()
		what = "a body"
	}
	return status.Errorf(codes.FailedPrecondition, "ext_proc sent %s: %s", what, remedy)
}

const noResponses = "set the response modes of processing_mode to SKIP or NONE"
