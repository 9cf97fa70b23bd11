package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// whole is an exchange and its record, with everything in order.
func whole() (*exchange, *routerv1.Record) {
	x := &exchange{answer: &reply{model: "small-2026", prompt: 100, cached: 50, output: 10}}
	x.status, x.header = http.StatusOK, http.Header{"X-Selected-Model": {"small"}}
	return x, &routerv1.Record{
		Decision: &routerv1.Decision{Model: "small", UpstreamModel: "small-2026", Cluster: "provider-a"},
		Outcome:  &routerv1.Outcome{Kind: "answered", Status: http.StatusOK, UpstreamCluster: "provider-a"},
		Usage:    &routerv1.Usage{InputTokens: 100, CachedTokens: 50, OutputTokens: 10},
	}
}

func TestVerifySeesEachDifferenceBetweenClientAndRecord(t *testing.T) {
	t.Parallel()
	x, record := whole()
	require.NoError(t, verify(x, record))
	for want, change := range map[string]func(*exchange, *routerv1.Record){
		"the client's status is 503, want 200":               func(x *exchange, _ *routerv1.Record) { x.status = 503 },
		"the recorded status is 503, want 200":               func(_ *exchange, r *routerv1.Record) { r.Outcome.Status = 503 },
		"the recorded outcome is client_gone, want answered": func(_ *exchange, r *routerv1.Record) { r.Outcome.Kind = "client_gone" },
		"the client's x-selected-model is , want small":      func(x *exchange, _ *routerv1.Record) { x.header = nil },
		"the answer's model is auto, want small-2026":        func(x *exchange, _ *routerv1.Record) { x.answer.model = "auto" },
		"the cluster that answered is b, want provider-a":    func(_ *exchange, r *routerv1.Record) { r.Outcome.UpstreamCluster = "b" },
		"the recorded prompt tokens is 1, want 100":          func(_ *exchange, r *routerv1.Record) { r.Usage.InputTokens = 1 },
		"the recorded cached tokens is 1, want 50":           func(_ *exchange, r *routerv1.Record) { r.Usage.CachedTokens = 1 },
		"the recorded answer tokens is 1, want 10":           func(_ *exchange, r *routerv1.Record) { r.Usage.OutputTokens = 1 },
	} {
		x, record := whole()
		change(x, record)
		assert.EqualError(t, verify(x, record), want)
	}
}
