package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCountsInEnvoysStatsAreThoseOfTheRows(t *testing.T) {
	t.Parallel()
	played := []session{
		{Rows: []row{{Model: "small", Tier: "simple", EstimatedTokens: 100}, {Model: "large", Tier: "complex", EstimatedTokens: 20}}},
		{Rows: []row{{Model: "small", Tier: "simple", EstimatedTokens: 1}}},
	}
	stats := map[string]int{
		"pointsman.requests.model.small.tier.simple.category.chat.source.classifier":            1,
		"pointsman.requests.model.small.tier.simple.category.factual_qa.source.classifier":      1,
		"pointsman.prompt_tokens.model.small.tier.simple.category.chat.source.classifier":       100,
		"pointsman.prompt_tokens.model.small.tier.simple.category.factual_qa.source.classifier": 1,
		"pointsman.requests.model.large.tier.complex.category.system_design.source.classifier":  1,
		"pointsman.prompt_tokens.model.large.tier.complex.category.system_design.source.cached": 20,
		"pointsman.tokens_saved.model.large.tier.complex.category.system_design.source.cached":  0,
		"vhost.pointsman.route.small.upstream_rq_200":                                           2,
		"vhost.pointsman.route.large.upstream_rq_200":                                           1,
	}
	want := counts{
		Decisions: []counter{
			{Model: "large", Tier: "complex", Requests: 1, PromptTokens: 20},
			{Model: "small", Tier: "simple", Requests: 2, PromptTokens: 101},
		},
		Routes: map[string]int{"small": 2, "large": 1},
	}
	assert.Equal(t, want, countsIn(stats))
	assert.Equal(t, want, countsOf(played))
}
