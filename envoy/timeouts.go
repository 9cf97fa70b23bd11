package envoy

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
)

// Every timeout that Envoy would otherwise choose.
const (
	// answerIdleTimeout is how long a provider may say nothing. Reasoning
	// models think for many minutes before their first byte, and most clients
	// give up after ten minutes by themselves.
	answerIdleTimeout = 30 * time.Minute

	// streamIdleTimeout cuts a request on which nothing moves at all, the
	// client's side included. It is longer than answerIdleTimeout, so that a
	// silent provider is a 504 and not a 408.
	streamIdleTimeout = answerIdleTimeout + time.Minute

	// headersTimeout is how long a client may take to send its headers.
	headersTimeout = 10 * time.Second

	// clientIdleTimeout closes client connections without a request.
	clientIdleTimeout = time.Hour

	// providerIdleTimeout closes unused connections to a provider, before load
	// balancers in between forget them.
	providerIdleTimeout = time.Minute

	// providerConnectTimeout covers TCP and TLS.
	providerConnectTimeout = 5 * time.Second

	// pointsmanConnectTimeout is short: pointsman is near, and without it the
	// request goes on to the default model.
	pointsmanConnectTimeout = time.Second

	// messageTimeout is how long pointsman may take for one message, the
	// largest body included. pointsman answers in milliseconds; Envoy's default
	// of 200 ms is too short for a 32 MB body on a busy machine.
	messageTimeout = 10 * time.Second

	// duplexIdleTimeout is how long a request may stand still before pointsman
	// has answered it in FULL_DUPLEX_STREAMED mode, on the client's side or on
	// pointsman's.
	duplexIdleTimeout = time.Minute

	// retryBackOff is the shortest pause before another attempt at a provider.
	retryBackOff    = 100 * time.Millisecond
	maxRetryBackOff = time.Second

	// streamRetryBackOff is the pause before another attempt at pointsman.
	streamRetryBackOff = 10 * time.Millisecond

	// healthInterval is the pause between health checks of pointsman; three
	// failures in a row take an endpoint out, one success brings it back.
	healthInterval = time.Second
	// sickInterval is the pause while an endpoint is out: what a restart costs.
	sickInterval  = 500 * time.Millisecond
	healthTimeout = time.Second

	// logFlushInterval is how long an access-log entry may wait for company.
	logFlushInterval = 200 * time.Millisecond

	// dnsMinRefresh bounds how often short-lived names are looked up again.
	dnsMinRefresh = 5 * time.Second
)

func seconds(d time.Duration) *durationpb.Duration { return durationpb.New(d) }
