package extproc

import (
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"

	"github.com/pointsman/pointsman/filter"
)

// awaitBody lets Envoy go on to the body, and answers it. That it is whole is
// what BUFFERED means, also where trailers follow and the end of the stream is
// not yet announced.
func (e *exchange) awaitBody(admitted *filter.Admitted) error {
	if err := e.stream.Send(wantBody()); err != nil {
		return err
	}
	message, err := e.stream.Recv()
	if err != nil {
		return err
	}
	switch part := message.GetRequest().(type) {
	case *extprocv3.ProcessingRequest_RequestBody:
		return e.stream.Send(e.answerBody(admitted.Decide(part.RequestBody.GetBody())))
	case *extprocv3.ProcessingRequest_RequestTrailers:
		// Trailers instead of a body: there is none, which is always refused.
		return e.stream.Send(e.answerBody(admitted.Decide(nil)))
	default:
		return unexpected(message, noResponses)
	}
}
