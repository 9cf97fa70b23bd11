package main

import "time"

// The sizes of bodies, in bytes.
const (
	kilobyte = 1000
	megabyte = 1000 * kilobyte
)

func sizes() []int {
	return []int{2 * kilobyte, 100 * kilobyte, megabyte, 10 * megabyte}
}

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
		return plan{rounds: 3, latency: 500 * time.Millisecond, throughput: 700 * time.Millisecond, warmUp: 2, clients: 8}
	}
	return plan{rounds: 9, latency: 1200 * time.Millisecond, throughput: 2 * time.Second, warmUp: 5, clients: 8}
}
