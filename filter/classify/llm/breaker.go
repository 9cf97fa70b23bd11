package llm

import (
	"sync"
	"time"
)

const (
	// failuresToOpen is how many questions in a row must fail. One or two slow
	// answers are no outage.
	failuresToOpen = 5
	// openFor is how long a server is then left alone: a restart, or a burst of
	// other people's traffic.
	openFor = 10 * time.Second
	// maxOpenFor bounds what a server can ask for with retry-after, so that none
	// turns the LLM off for a day.
	maxOpenFor = time.Minute
)

// breaker leaves a server that fails alone for a while, and then lets a single
// question find out whether it is back.
//
// It is our own since the libraries for it keep one time to stay open and the
// clock to themselves: a retry-after brings a time of its own, and tests want to
// turn the clock.
type breaker struct {
	now func() time.Time

	mu       sync.Mutex
	failures int       // in a row
	until    time.Time // closed where it is zero, else open until then
	probing  bool      // the single question is under way
	round    int       // counts openings and closings
}

// outcome is how a question went.
type outcome struct {
	failed bool
	// abandoned questions say nothing about the server.
	abandoned bool
	// retryAfter is how long the server asks to be left alone; 0 where it does not.
	retryAfter time.Duration
}

// enter asks to ask. With ok, the ticket has to be given back by leave.
func (b *breaker) enter() (ticket int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return b.round, true
	}
	if b.probing || b.now().Before(b.until) {
		return 0, false
	}
	b.probing = true
	return b.round, true
}

// leave says how a question went. opened is how long the breaker is open from
// now, where this opened it; closed is true where this closed it. What was asked
// before the breaker last opened or closed changes nothing.
func (b *breaker) leave(ticket int, went outcome) (opened time.Duration, closed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ticket != b.round {
		return 0, false
	}
	wasProbing := b.probing
	b.probing = false
	switch {
	case went.abandoned:
		return 0, false
	case !went.failed:
		b.failures = 0
		if wasProbing {
			b.until = time.Time{}
			b.round++
		}
		return 0, wasProbing
	}
	b.failures++
	if wasProbing || b.failures >= failuresToOpen {
		opened = openFor
	}
	if opened = max(opened, min(went.retryAfter, maxOpenFor)); opened > 0 {
		b.until = b.now().Add(opened)
		b.round++
	}
	return opened, false
}
