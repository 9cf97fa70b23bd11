package main

import (
	"encoding/json"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
)

// A report is all that was measured, and on what.
type report struct {
	CPUs int `json:"cpus"`
	// Load is the machine's load average of the last minute, before.
	Load    string `json:"load"`
	Clients int    `json:"clients"`
	Rows    []row  `json:"rows"`

	plan plan
}

// A row is one size of body in one setup.
type row struct {
	Mode     string  `json:"mode"`
	Unlogged bool    `json:"without_access_log"`
	Bytes    int     `json:"bytes"`
	Rounds   []round `json:"rounds"`
	// Pointsman and Echo are the median of each figure over the rounds, and
	// Ratios what the one is of the other.
	Pointsman sample `json:"pointsman"`
	Echo      sample `json:"echo"`
	Ratios    ratios `json:"ratios"`
	// InFlight is the memory of a request in flight, in bodies.
	InFlight struct {
		Pointsman float64 `json:"pointsman"`
		Echo      float64 `json:"echo"`
	} `json:"bodies_in_memory_per_request"`
}

// A round is what both arms did in turn.
type round struct {
	Pointsman sample `json:"pointsman"`
	Echo      sample `json:"echo"`
}

// ratios are pointsman's figures divided by those of the same round's echo.
type ratios struct {
	P50       spread `json:"p50"`
	P99       spread `json:"p99"`
	PerSecond spread `json:"requests_per_second"`
	CPU       spread `json:"cpu"`
	EnvoyCPU  spread `json:"envoy_cpu"`
	Peak      spread `json:"peak"`
}

// spread is the median of some figures, the least and the greatest.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

func newReport(p plan) *report {
	load, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(load), " ")
	return &report{CPUs: runtime.NumCPU(), Load: first, Clients: p.clients, plan: p}
}

// summarise draws the rounds together.
func (r *row) summarise(p *pair, clients int) {
	r.Pointsman = r.medians(func(one round) sample { return one.Pointsman })
	r.Echo = r.medians(func(one round) sample { return one.Echo })
	r.Ratios = ratios{
		P50:       r.ratio(func(s sample) float64 { return s.P50 }),
		P99:       r.ratio(func(s sample) float64 { return s.P99 }),
		PerSecond: r.ratio(func(s sample) float64 { return s.PerSecond }),
		CPU:       r.ratio(func(s sample) float64 { return s.CPU }),
		EnvoyCPU:  r.ratio(func(s sample) float64 { return s.EnvoyCPU }),
		Peak:      r.ratio(func(s sample) float64 { return float64(s.Peak) }),
	}
	r.InFlight.Pointsman = float64(r.Pointsman.Peak-p.pointsman.idle) / float64(clients*r.Bytes)
	r.InFlight.Echo = float64(r.Echo.Peak-p.echo.idle) / float64(clients*r.Bytes)
}

func (r *row) medians(of func(round) sample) sample {
	median := func(figure func(sample) float64) float64 {
		return r.spread(func(one round) float64 { return figure(of(one)) }).Median
	}
	return sample{
		P50:       median(func(s sample) float64 { return s.P50 }),
		P99:       median(func(s sample) float64 { return s.P99 }),
		PerSecond: median(func(s sample) float64 { return s.PerSecond }),
		CPU:       median(func(s sample) float64 { return s.CPU }),
		EnvoyCPU:  median(func(s sample) float64 { return s.EnvoyCPU }),
		Peak:      int64(median(func(s sample) float64 { return float64(s.Peak) })),
	}
}

func (r *row) ratio(figure func(sample) float64) spread {
	return r.spread(func(one round) float64 { return figure(one.Pointsman) / figure(one.Echo) })
}

func (r *row) spread(figure func(round) float64) spread {
	figures := make([]float64, len(r.Rounds))
	for i, one := range r.Rounds {
		figures[i] = figure(one)
	}
	slices.Sort(figures)
	last := len(figures) - 1
	return spread{Median: (figures[last/2] + figures[(last+1)/2]) / 2, Min: figures[0], Max: figures[last]}
}

func (r *report) print(out io.Writer, asJSON bool) error {
	if !asJSON {
		_, err := io.WriteString(out, r.whole())
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}
