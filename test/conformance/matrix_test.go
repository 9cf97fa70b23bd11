package conformance

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/assert"
)

var full = flag.Bool("full", false, "run the whole matrix, and not a part of it")

const (
	kilobyte = 1 << 10
	megabyte = 1 << 20
)

var sizes = []int{1, 2 * kilobyte, 60 * kilobyte, megabyte, 5 * megabyte, 20 * megabyte}

func byteSize(size int) string {
	switch {
	case size >= megabyte:
		return fmt.Sprintf("%d MB", size/megabyte)
	case size >= kilobyte:
		return fmt.Sprintf("%d KB", size/kilobyte)
	default:
		return fmt.Sprintf("%d B", size)
	}
}

// A part is what one Envoy is asked: the cells of a mode and a chain.
type part struct {
	mode  string
	chain chain
	sizes []int
	// tried counts requests by framing, and failed says which went wrong.
	tried  map[string]int
	failed map[string][]string
	took   time.Duration
}

// parts are all of them. The part of the matrix that every test run has is each
// mode alone, and the chain of two streaming processors, in which Envoy has lost
// chunks before 1.40.
func parts() []*part {
	if !*full {
		few := []int{1, 60 * kilobyte, largest}
		return []*part{
			newPart(buffered, chain{place: alone}, few),
			newPart(duplex, chain{place: alone}, few),
			newPart(duplex, chain{behind, duplex}, few[1:]),
		}
	}
	var all []*part
	for _, mode := range []string{buffered, duplex} {
		for _, c := range []chain{{place: alone}, {behind, buffered}, {behind, duplex}, {before, buffered}, {before, duplex}} {
			all = append(all, newPart(mode, c, sizes))
		}
	}
	return all
}

// cells are every framing in every size, and in the whole matrix in every API
// over every protocol. Otherwise API and protocol go by turns, so that every two
// of a framing, a size, an API and a protocol meet in one cell: what goes wrong
// takes more than two of them only seldom.
func (p *part) cells() []cell {
	var all []cell
	for i, f := range framings() {
		for j, size := range p.sizes {
			for k, a := range apis() {
				for l, protocol := range protocols {
					turn := i + j
					if !p.hole(f) && (*full || turn%len(apis()) == k && turn%len(protocols) == l) {
						all = append(all, cell{a, size, protocol, f})
					}
				}
			}
		}
	}
	return all
}

func newPart(mode string, c chain, sizes []int) *part {
	return &part{mode: mode, chain: c, sizes: sizes, tried: map[string]int{}, failed: map[string][]string{}}
}

// hole reports whether Envoy itself breaks the promise, whatever pointsman does:
// what its router keeps of a body for a retry is sent twice where the body's end
// are trailers, and the last external processor before it streams. It does not
// happen in pointsman's own streaming mode, whose routes have no retries. See
// TestFact_WhatIsKeptForARetryIsSentTwiceBehindTrailers.
func (p *part) hole(f framing) bool {
	return f.trailers && p.mode == buffered && p.chain == chain{before, duplex}
}

func (p *part) name() string { return p.mode + ", " + p.chain.String() }

func (p *part) run(t *testing.T) {
	t.Helper()
	r := start(t, setup{mode: p.mode, edit: p.chain.install})
	clients := map[string]*http.Client{}
	for _, protocol := range protocols {
		clients[protocol] = newClient(protocol)
		defer clients[protocol].CloseIdleConnections()
	}
	begin := time.Now()
	for _, c := range p.cells() {
		p.tried[c.framing.name]++
		if err := c.try(t.Context(), r, clients[c.protocol]); err != nil {
			t.Errorf("%s: %v", c, err)
			p.failed[c.framing.name] = append(p.failed[c.framing.name], fmt.Sprintf("%s %s %s", c.api.path, c.protocol, byteSize(c.size)))
		}
	}
	p.took = time.Since(begin)
}

// What is left out of the matrix is no pair.
func TestConformance_EveryTwoMeetInAPartOfTheMatrix(t *testing.T) {
	t.Parallel()
	met := map[[2]string]bool{}
	for _, c := range newPart(duplex, chain{place: alone}, sizes[:3]).cells() {
		values := []string{c.framing.name, byteSize(c.size), string(c.api.name), c.protocol}
		for i, one := range values {
			for _, other := range values[:i] {
				met[[2]string{one, other}] = true
			}
		}
	}
	f, s, a, p := len(framings()), 3, len(apis()), len(protocols)
	assert.Len(t, met, f*s+f*a+f*p+s*a+s*p+a*p)
}

func TestConformance(t *testing.T) {
	t.Parallel()
	all := parts()
	t.Cleanup(func() { _, _ = os.Stdout.WriteString(table(all)) }) // after the last part
	for _, p := range all {
		t.Run(p.name(), func(t *testing.T) {
			t.Parallel()
			p.run(t)
		})
	}
}

// table has a row for each part and a column for each framing: how many of its
// requests came through as they should, and which did not.
func table(parts []*part) string {
	head := []string{"mode", "chain", "time", "sizes"}
	for _, f := range slices.Backward(framings()) {
		head = slices.Insert(head, 2, f.name)
	}
	var out strings.Builder
	writer := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	row := func(fields []string) { _, _ = io.WriteString(writer, strings.Join(fields, "\t")+"\n") } // to a string
	row(head)
	for _, p := range parts {
		row(p.row())
	}
	_ = writer.Flush()
	return out.String()
}

func (p *part) row() []string {
	fields := []string{p.mode, p.chain.String()}
	for _, f := range framings() {
		fields = append(fields, p.result(f))
	}
	return append(fields, fmt.Sprintf("%.1f s", p.took.Seconds()), sizeList(p.sizes))
}

func (p *part) result(f framing) string {
	if p.hole(f) {
		return "hole"
	}
	tried, failed := p.tried[f.name], p.failed[f.name]
	return strings.TrimSpace(fmt.Sprintf("%d/%d %s", tried-len(failed), tried, strings.Join(failed, ", ")))
}

func sizeList(sizes []int) string {
	names := make([]string, len(sizes))
	for i, size := range sizes {
		names[i] = byteSize(size)
	}
	return strings.Join(names, ", ")
}
