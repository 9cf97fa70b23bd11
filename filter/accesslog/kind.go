package accesslog

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/filter/decision"
)

// Envoy's response_code_details that decide a kind; its documentation lists
// them all.
const (
	viaUpstream = "via_upstream"
	resetPrefix = "upstream_reset_"
)

// timeoutDetails are the time limits of Envoy that set no response flag
// (measured).
func timeoutDetails() []string {
	return []string{"max_duration_timeout", "request_overall_timeout", "request_header_timeout"}
}

// kindOf says what became of a request. The cause comes first: a request that
// failed open stays that, whatever the upstream then said. What the client did
// comes before what the upstream did, since Envoy resets the upstream when the
// client leaves.
func kindOf(entry *httpEntry, call processing, decided bool) string {
	status := entry.GetResponse().GetResponseCode().GetValue()
	switch {
	case call.failedOpen && !decided:
		return decision.KindFailedOpen
	case call.immediate:
		return decision.KindImmediateResponse
	case clientGone(entry):
		return decision.KindClientGone
	case timedOut(entry):
		return decision.KindTimeout
	case upstreamReset(entry):
		return decision.KindUpstreamReset
	case status > 0 && status < http.StatusBadRequest:
		return decision.KindAnswered
	case entry.GetResponse().GetResponseCodeDetails() == viaUpstream:
		return decision.KindUpstreamError
	default:
		return decision.KindLocalError
	}
}

func clientGone(entry *httpEntry) bool {
	flags := entry.GetCommonProperties().GetResponseFlags()
	return flags.GetDownstreamConnectionTermination() || flags.GetDownstreamRemoteReset()
}

// timedOut holds for the last attempt: of an attempt that timed out and was
// made again, the entry keeps no flag (measured).
func timedOut(entry *httpEntry) bool {
	flags := entry.GetCommonProperties().GetResponseFlags()
	return flags.GetUpstreamRequestTimeout() || flags.GetStreamIdleTimeout() ||
		flags.GetUpstreamMaxStreamDurationReached() || flags.GetDurationTimeout() ||
		slices.Contains(timeoutDetails(), entry.GetResponse().GetResponseCodeDetails())
}

// upstreamReset leaves out Envoy's own circuit breaker, which also calls itself
// a reset.
func upstreamReset(entry *httpEntry) bool {
	return strings.HasPrefix(entry.GetResponse().GetResponseCodeDetails(), resetPrefix) &&
		!entry.GetCommonProperties().GetResponseFlags().GetUpstreamOverflow()
}
