package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

func TestWhySaysWhatLedToADecision(t *testing.T) {
	t.Parallel()
	small := &routerv1.Candidate{Model: "small", Cost: 0.00034}
	medium := &routerv1.Candidate{Model: "medium", Cost: 0.0021}
	large := &routerv1.Candidate{Model: "large", Cost: 0.0131}
	out := func(model, reason string) *routerv1.Candidate {
		return &routerv1.Candidate{Model: model, Reason: reason}
	}
	routed := func(tier string, candidates ...*routerv1.Candidate) *routerv1.Decision {
		return &routerv1.Decision{
			VirtualModel: "auto", Tier: tier, RequiredTier: tier, Source: "classifier", Candidates: candidates,
			Framing: &routerv1.Framing{MessageChars: 100},
		}
	}
	with := func(d *routerv1.Decision, change func(*routerv1.Decision)) *routerv1.Decision {
		change(d)
		return d
	}
	short := func(d *routerv1.Decision) { d.Framing = &routerv1.Framing{MessageChars: 14, PriorChars: 80} }
	for name, test := range map[string]struct {
		decision, before *routerv1.Decision
		want             string
	}{
		"cheapest first": {routed("simple", large, small, medium), nil, "tier simple: small $0.00034 < medium $0.0021 < large $0.013"},
		"equal costs": {
			routed("simple", &routerv1.Candidate{Model: "a", Cost: 0.5}, &routerv1.Candidate{Model: "b", Cost: 0.5}), nil,
			"tier simple: a $0.50 = b $0.50",
		},
		"models below the tier": {
			routed("complex", out("small", "tier simple is below complex"), out("medium", "tier medium is below complex"), large), nil,
			"tier complex: small, medium are below; large $0.013",
		},
		"a missing capability": {routed("simple", out("small", "no vision"), medium), nil, "tier simple: small has no vision; medium $0.0021"},
		"several without it": {
			routed("simple", out("small", "no documents"), out("medium", "no documents"), large), nil,
			"tier simple: small, medium have no documents; large $0.013",
		},
		"another filter": {
			routed("simple", out("small", "context window: needs 140,000 tokens of 128,000"), medium), nil,
			"tier simple: small: context window: needs 140,000 tokens of 128,000; medium $0.0021",
		},
		"a follow-up":                   {with(routed("complex", large), short), routed("complex"), "follows a complex turn: large $0.013"},
		"a short turn of another tier":  {with(routed("medium", medium), short), routed("complex"), "tier medium: medium $0.0021"},
		"a short turn after nothing":    {with(routed("medium", medium), short), nil, "tier medium: medium $0.0021"},
		"a simple turn follows nothing": {with(routed("simple", small), short), routed("simple"), "tier simple: small $0.00034"},
		"a clamped tier": {
			with(routed("complex", medium), func(d *routerv1.Decision) { d.RequiredTier, d.VirtualModel = "medium", "auto-fast" }), nil,
			"tier complex, medium for auto-fast: medium $0.0021",
		},
		"hints": {
			with(routed("complex", large), func(d *routerv1.Decision) { d.Source = "override" }), nil,
			"tier complex by the client's hints: large $0.013",
		},
		"one hint": {
			with(routed("complex", large), func(d *routerv1.Decision) { d.Hinted = "tier" }), nil,
			"tier complex, tier by the client's hint: large $0.013",
		},
		"nothing to classify": {
			with(routed("medium", medium), func(d *routerv1.Decision) { d.Source = "fallback" }), nil,
			"tier medium, the fallback: medium $0.0021",
		},
		"a pinned model": {&routerv1.Decision{RequestedModel: "large", Candidates: []*routerv1.Candidate{large}}, nil, "pinned: the client asked for large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, why(test.decision, test.before))
		})
	}
}

func TestAmountsHaveTwoDigitsThatCount(t *testing.T) {
	t.Parallel()
	for amount, want := range map[float64]string{
		0: "$0.00", 0.0031: "$0.0031", 0.016: "$0.016", 0.1: "$0.10", 0.000024: "$0.000024", 1.5: "$1.50", 12: "$12.00", 1e-12: "$0.000000000",
	} {
		assert.Equal(t, want, usd(amount))
	}
}
