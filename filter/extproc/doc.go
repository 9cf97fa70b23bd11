// Package extproc carries the pipeline's verdicts over Envoy's external
// processing protocol, in the mode that Envoy announces. In BUFFERED mode Envoy
// sends the request's head, then its whole body, and waits for an answer to
// each. In FULL_DUPLEX_STREAMED mode it sends on what comes and waits for
// nothing: the body is gathered here, and head, body and trailers are answered
// together.
//
// A stream lives for one request and ends as soon as that is decided. It does
// not stay open for the length of the model's answer: what came of the request
// arrives with Envoy's access log, see package accesslog.
//
// What a stream must never do is to end without an answer where one is awaited:
// in BUFFERED mode Envoy takes that for "continue", whatever its failure mode
// says, and in the other it loses the body. Whatever cannot be answered is a
// gRPC error, which Envoy counts and treats by its failure mode.
package extproc
