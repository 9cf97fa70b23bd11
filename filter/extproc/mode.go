package extproc

import (
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// mode is how Envoy hands over the body of a request.
type mode = filterv3.ProcessingMode_BodySendMode

const (
	none     = filterv3.ProcessingMode_NONE
	buffered = filterv3.ProcessingMode_BUFFERED
	duplex   = filterv3.ProcessingMode_FULL_DUPLEX_STREAMED
)

// modeOf is the mode that Envoy announces with the first message; before 1.35 or
// so it announced none, and BUFFERED is assumed. Modes that this server does not
// speak are refused. Without a body, as on a route that only lists models, it
// has no use for one either.
func modeOf(announced *extprocv3.ProtocolConfiguration, bodyWanted bool) (mode, error) {
	if announced == nil {
		return buffered, nil
	}
	m := announced.GetRequestBodyMode()
	if m == buffered || m == duplex || m == none && !bodyWanted {
		return m, nil
	}
	return none, status.Errorf(codes.FailedPrecondition,
		"ext_proc runs with request_body_mode %v: pointsman needs BUFFERED or FULL_DUPLEX_STREAMED", m)
}
