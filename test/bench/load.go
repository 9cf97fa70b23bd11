package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// sample is what one arm did in one round.
type sample struct {
	// P50 and P99 are of the time of a request, to the end of its answer, in
	// milliseconds, with one client.
	P50 float64 `json:"p50_ms"`
	P99 float64 `json:"p99_ms"`
	// PerSecond are requests, with several clients.
	PerSecond float64 `json:"requests_per_second"`
	// CPU is the processor's time in seconds, for 1,000 of those.
	CPU float64 `json:"cpu_seconds_per_1000"`
	// EnvoyCPU is Envoy's, the same way.
	EnvoyCPU float64 `json:"envoy_cpu_seconds_per_1000"`
	// Peak is the processor's memory at most, meanwhile, in bytes.
	Peak int64 `json:"peak_bytes"`
}

// client sends one body again and again.
type client struct {
	http *http.Client
	url  string
	body []byte
}

func newClient(a *arm, body []byte) *client {
	const buffer = 64 << 10
	return &client{
		http: &http.Client{Transport: &http.Transport{
			MaxIdleConnsPerHost: 1 << 10, WriteBufferSize: buffer, ReadBufferSize: buffer, DisableCompression: true,
		}},
		url: "http://" + a.Listener + "/v1/chat/completions", body: body,
	}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// send sends the body and reads the answer, which must be 200.
func (c *client) send(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(c.body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer sk-0123456789abcdef0123456789abcdef")
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, answer)
	}
	return err
}

// measure has one arm serve one size for one round.
func (p plan) measure(ctx context.Context, a *arm, body []byte) (sample, error) {
	c := newClient(a, body)
	defer c.close()
	for range p.warmUp {
		if err := c.send(ctx); err != nil {
			return sample{}, fmt.Errorf("%s: %w", a.name, err)
		}
	}
	var s sample
	if err := p.latencies(ctx, c, &s); err != nil {
		return s, fmt.Errorf("%s: %w", a.name, err)
	}
	if err := p.throughputs(ctx, a, c, &s); err != nil {
		return s, fmt.Errorf("%s: %w", a.name, err)
	}
	return s, nil
}

// latencies sends one request after the other.
func (p plan) latencies(ctx context.Context, c *client, s *sample) error {
	var times []time.Duration
	for begin := time.Now(); time.Since(begin) < p.latency; {
		sent := time.Now()
		if err := c.send(ctx); err != nil {
			return err
		}
		times = append(times, time.Since(sent))
	}
	slices.Sort(times)
	s.P50, s.P99 = milliseconds(quantile(times, 0.50)), milliseconds(quantile(times, 0.99))
	return nil
}

// throughputs has several clients send at once.
func (p plan) throughputs(ctx context.Context, a *arm, c *client, s *sample) error {
	if err := forgetPeak(a.processor.ID()); err != nil {
		return err
	}
	before, err := a.cpuTimes()
	if err != nil {
		return err
	}
	begin := time.Now()
	served, err := p.flood(ctx, c)
	if err != nil {
		return err
	}
	took := time.Since(begin)
	after, err := a.cpuTimes()
	if err != nil {
		return err
	}
	// Where a round is too short for the clock, a tick is as good as nothing,
	// and can be divided by.
	per1000 := func(used time.Duration) float64 { return max(used, tick).Seconds() / float64(served) * 1000 }
	s.PerSecond = float64(served) / took.Seconds()
	s.CPU, s.EnvoyCPU = per1000(after.processor-before.processor), per1000(after.envoy-before.envoy)
	s.Peak, err = peakBytes(a.processor.ID())
	return err
}

// flood sends from several clients for as long as the plan says, and returns
// how many requests were answered.
func (p plan) flood(ctx context.Context, c *client) (int64, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var served atomic.Int64
	var clients sync.WaitGroup
	for range p.clients {
		clients.Go(func() {
			for begin := time.Now(); time.Since(begin) < p.throughput; served.Add(1) {
				if err := c.send(ctx); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	clients.Wait()
	return served.Load(), context.Cause(ctx)
}

// quantile is the least of the sorted times that a share of them does not
// exceed.
func quantile(sorted []time.Duration, share float64) time.Duration {
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
