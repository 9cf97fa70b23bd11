package provider

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Request headers by which a request says how it is to be answered.
const (
	// HeaderDelay is a duration ("200ms") between the request's last byte and
	// the answer's first.
	HeaderDelay = "x-provider-delay"
	// HeaderChunkDelay is a duration before each event of a stream after the
	// first.
	HeaderChunkDelay = "x-provider-chunk-delay"
	// HeaderStatus is an HTTP status, 400 to 599, to answer with.
	HeaderStatus = "x-provider-status"
	// HeaderFault is one of the Fault constants.
	HeaderFault = "x-provider-fault"
	// HeaderOnce is a name of the test's own: status and fault are for the
	// first request that brings it, and not for later ones.
	HeaderOnce = "x-provider-once"
	// HeaderHoldAnswer names a gate at which the whole answer waits.
	HeaderHoldAnswer = "x-provider-hold-answer"
	// HeaderHoldStream names a gate at which a stream waits once its first
	// piece of content is sent.
	HeaderHoldStream = "x-provider-hold-stream"
)

// Values of [HeaderFault].
const (
	// FaultReset closes the connection before any byte of the answer.
	FaultReset = "reset"
	// FaultResetMidStream closes it after the first piece of content.
	FaultResetMidStream = "reset_mid_stream"
	// FaultEndless makes a stream that ends only when the client leaves; an
	// answer that is not a stream never comes.
	FaultEndless = "endless"
)

// manners is what the control headers of a request ask for.
type manners struct {
	delay, chunkDelay      time.Duration
	status                 int
	fault                  string
	holdAnswer, holdStream string
}

func readManners(header http.Header) (manners, error) {
	m := manners{
		fault:      header.Get(HeaderFault),
		holdAnswer: header.Get(HeaderHoldAnswer),
		holdStream: header.Get(HeaderHoldStream),
	}
	var err error
	if m.delay, err = duration(header, HeaderDelay); err != nil {
		return m, err
	}
	if m.chunkDelay, err = duration(header, HeaderChunkDelay); err != nil {
		return m, err
	}
	if m.status, err = status(header); err != nil {
		return m, err
	}
	switch m.fault {
	case "", FaultReset, FaultResetMidStream, FaultEndless:
		return m, nil
	}
	return m, fmt.Errorf("%s: %q is none of %s, %s, %s", HeaderFault, m.fault, FaultReset, FaultResetMidStream, FaultEndless)
}

func duration(header http.Header, name string) (time.Duration, error) {
	text := header.Get(name)
	if text == "" {
		return 0, nil
	}
	value, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return value, nil
}

func status(header http.Header) (int, error) {
	text := header.Get(HeaderStatus)
	if text == "" {
		return 0, nil
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < http.StatusBadRequest || value > 599 {
		return 0, fmt.Errorf("%s: %q is no status from 400 to 599", HeaderStatus, text)
	}
	return value, nil
}

// before does what is asked for before the answer's first byte. It reports
// false when the client has left.
func (p *Provider) before(ctx context.Context, m manners) bool {
	if m.fault == FaultReset {
		panic(http.ErrAbortHandler)
	}
	return p.gates.wait(ctx, m.holdAnswer) && pause(ctx, m.delay)
}

// pause waits. It reports false when the client has left.
func pause(ctx context.Context, delay time.Duration) bool {
	if delay == 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
