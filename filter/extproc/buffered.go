package extproc

import (
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"

	"github.com/pointsman/pointsman/filter"
)

// awaitBody lets Envoy go on to the body, and answers it. That it is whole is
// what BUFFERED means, also where trailers follow and the end of the stream is
// not yet announced.
func (e *exchange) awaitBody(admitted *filter.Admitted) error {
	if err := e.send(wantBody()); err != nil {
		return err
	}
	message, err := receive(e.stream, e.budget)
	if err != nil {
		return err
	}
	if message.full {
		return e.stream.SendMsg(e.answerBody(admitted.Overloaded()))
	}
	if message.body != nil {
		defer message.body.free()
		v := admitted.Decide(e.stream.Context(), message.body.bytes())
		answer := e.answerBody(v)
		if v.Changed() {
			answer.body = message.body.edited(v.Edits)
		}
		return e.stream.SendMsg(answer)
	}
	if _, ok := message.GetRequest().(*extprocv3.ProcessingRequest_RequestTrailers); !ok {
		return unexpected(message, noResponses)
	}
	// Trailers instead of a body: there is none, which is always refused.
	return e.stream.SendMsg(e.answerBody(admitted.Decide(e.stream.Context(), nil)))
}
