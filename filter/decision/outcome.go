package decision

// Kinds of outcome: what became of a request, in one word. The schema says what
// each means.
const (
	KindAnswered          = "answered"
	KindUpstreamError     = "upstream_error"
	KindImmediateResponse = "immediate_response"
	KindFailedOpen        = "failed_open"
	KindClientGone        = "client_gone"
	KindTimeout           = "timeout"
	KindUpstreamReset     = "upstream_reset"
	KindLocalError        = "local_error"
)

// Kinds lists every kind of outcome.
func Kinds() []string {
	return []string{
		KindAnswered, KindUpstreamError, KindImmediateResponse, KindFailedOpen,
		KindClientGone, KindTimeout, KindUpstreamReset, KindLocalError,
	}
}
