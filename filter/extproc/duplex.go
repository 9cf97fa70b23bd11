package extproc

import (
	"strconv"

	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"

	"github.com/pointsman/pointsman/filter"
)

// maxChunk is the most that is sent back at once, in bytes: Envoy asks for less
// than 64 KiB in a message.
const maxChunk = 62_000

// In FULL_DUPLEX_STREAMED mode Envoy sends the body on as it comes in and keeps
// nothing of it: what is not sent back is lost. A stream therefore ends only
// with the last chunk, with an answer of pointsman's own, or with an error.
//
// What is read ends there too. Envoy has been seen to announce the end of a
// large body twice; nobody reads the second announcement.

// gather holds head and body back until the body is whole, or too large.
func (e *exchange) gather(admitted *filter.Admitted) error {
	var body gathered
	defer func() {
		e.budget.give(body.size)
		body.free()
	}()
	announced := e.announced()
	for {
		p, err := e.next()
		if err != nil {
			return err
		}
		room := e.budget.take(len(p.body), body.size)
		if room {
			body.write(p.body, announced)
		}
		if p.free(); !room {
			return e.stream.SendMsg(e.answerHead(admitted.Overloaded()))
		}
		if p.end || admitted.TooLarge(body.size) {
			return e.deliver(admitted.Decide(e.stream.Context(), body.bytes()), p.trailers)
		}
	}
}

// announced is the length that the client has announced; 0 where it has not.
func (e *exchange) announced() int {
	length, err := strconv.ParseUint(e.header("content-length"), 10, 31)
	if err != nil {
		return 0
	}
	return int(length)
}

// deliver answers everything that was held back, in the order in which it came.
func (e *exchange) deliver(v filter.Verdict, trailers bool) error {
	if err := e.stream.SendMsg(e.answerHead(v)); err != nil || v.Answer != nil {
		return err
	}
	return e.forward(piece{body: v.Upstream(), end: true, trailers: trailers})
}

// echo sends a body on as it comes, unread. Envoy waits for nothing but what it
// has sent, so no more than one piece is held here.
func (e *exchange) echo(v filter.Verdict) error {
	if err := e.stream.SendMsg(e.answerHead(v)); err != nil {
		return err
	}
	for {
		p, err := e.next()
		if err != nil {
			return err
		}
		err = e.forward(p)
		if p.free(); err != nil || p.end {
			return err
		}
	}
}

// piece is what comes in one message after the head.
type piece struct {
	body     []byte
	from     *body // the message it stands in; nil where there is none
	end      bool  // nothing comes after it
	trailers bool  // they are its end
}

// free gives back the memory of a piece that has been sent on, or copied.
func (p piece) free() {
	if p.from != nil {
		p.from.free()
	}
}

func (e *exchange) next() (piece, error) {
	message, err := receive(e.stream, nil)
	if err != nil {
		return piece{}, err
	}
	if part := message.body; part != nil {
		return piece{body: part.bytes(), from: part, end: part.last}, nil
	}
	if _, ok := message.GetRequest().(*extprocv3.ProcessingRequest_RequestTrailers); !ok {
		return piece{}, unexpected(message, noResponses)
	}
	return piece{end: true, trailers: true}, nil
}

// forward sends a piece on. Where it ends with trailers, these are the end, and
// no chunk before them.
func (e *exchange) forward(p piece) error {
	for len(p.body) > maxChunk {
		if err := e.send(chunk(p.body[:maxChunk], false)); err != nil {
			return err
		}
		p.body = p.body[maxChunk:]
	}
	if err := e.send(chunk(p.body, p.end && !p.trailers)); err != nil || !p.trailers {
		return err
	}
	return e.send(&extprocv3.ProcessingResponse{
		Response: &extprocv3.ProcessingResponse_RequestTrailers{RequestTrailers: &extprocv3.TrailersResponse{}},
	})
}

func chunk(body []byte, end bool) *extprocv3.ProcessingResponse {
	mutation := &extprocv3.BodyMutation{Mutation: &extprocv3.BodyMutation_StreamedResponse{
		StreamedResponse: &extprocv3.StreamedBodyResponse{Body: body, EndOfStream: end},
	}}
	return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestBody{
		RequestBody: &extprocv3.BodyResponse{Response: &extprocv3.CommonResponse{BodyMutation: mutation}},
	}}
}
