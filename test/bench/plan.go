package main

import "time"

// The sizes of bodies, in bytes.
const (
	kilobyte = 1000
	megabyte = 1000 * kilobyte

	smallest = 2 * kilobyte
	// sizeable is from which size on a body has a cost for each of its bytes that
	// is more than the cost of a request.
	sizeable = 100 * kilobyte
)

func sizes() []int {
	return []int{smallest, sizeable, megabyte, 5 * megabyte, 20 * megabyte}
}

// A setup is what both arms of a pair run with, and which sizes it is for.
type setup struct {
	mode string // envoy.body_mode
	// unlogged takes Envoy's access logs off: what is left of pointsman is the
	// processor.
	unlogged bool
	sizes    []int
}

func (s setup) name() string {
	if s.unlogged {
		return s.mode + ", no log"
	}
	return s.mode
}

// setups are all that is measured.
func setups() []setup {
	return []setup{
		{mode: buffered, sizes: sizes()},
		{mode: duplex, sizes: sizes()},
		{mode: buffered, unlogged: true, sizes: []int{smallest}},
	}
}

// The body modes.
const (
	buffered = "buffered"
	duplex   = "full_duplex_streamed"
)

// plan is how long to measure what.
type plan struct {
	rounds int
	// Of each arm in each round: how long one client sends, how long several do,
	// and how many requests go before that and count for nothing.
	latency, throughput time.Duration
	warmUp              int
	// clients is how many send at once while requests per second are counted.
	clients int
}

func planFor(quick bool) plan {
	if quick {
		return plan{rounds: 3, latency: 300 * time.Millisecond, throughput: 500 * time.Millisecond, warmUp: 2, clients: 8}
	}
	return plan{rounds: 7, latency: 1200 * time.Millisecond, throughput: 2 * time.Second, warmUp: 5, clients: 8}
}
