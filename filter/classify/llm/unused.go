package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Why the LLM has no say, in the words of Decision.llm_unused.
const (
	Confident   = "confident"
	Busy        = "busy"
	BreakerOpen = "breaker_open"
	Timeout     = "timeout"
	Unreachable = "unreachable"
	BrokenOff   = "broken_off"
	HTTP429     = "http_429" // further statuses by class, such as http_5xx
	TooLarge    = "too_large"
	Unreadable  = "unreadable"
	Gone        = "gone"
	DryRun      = "dry_run"
)

// unusedError says why a question has no answer.
type unusedError struct {
	why string
	// status is the answer's HTTP status; 0 where there was none.
	status int
	// retryAfter is how long the server asks to be left alone; 0 where it does
	// not.
	retryAfter time.Duration
	// cause is what the network had to say; nil where it had nothing. It holds no
	// part of any answer, in which a server may repeat key or prompt.
	cause error
}

func unused(why string) *unusedError { return &unusedError{why: why} }

// Error is for pointsman's own log.
func (e *unusedError) Error() string {
	switch {
	case e.cause != nil:
		return fmt.Sprintf("%s: %v", e.why, e.cause)
	case e.status != 0:
		return fmt.Sprintf("%s: status %d", e.why, e.status)
	default:
		return e.why
	}
}

// Unwrap is the cause.
func (e *unusedError) Unwrap() error { return e.cause }

// broken is the error of a connection, which failed with why unless it was our
// own time or our own people that ran out.
func broken(ctx context.Context, why string, cause error) *unusedError {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return unused(Timeout)
	case ctx.Err() != nil:
		return unused(Gone)
	default:
		return &unusedError{why: why, cause: cause}
	}
}

// refused is the error of an answer with a status that is not 200.
func refused(status int, retryAfter time.Duration) *unusedError {
	why := HTTP429
	if status != http.StatusTooManyRequests {
		why = fmt.Sprintf("http_%dxx", status/100)
	}
	return &unusedError{why: why, status: status, retryAfter: retryAfter}
}
