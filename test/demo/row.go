package main

import (
	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// A row is one request: what was asked, what was decided and why, and what came
// of it.
type row struct {
	Label    string `json:"label"`
	Asked    string `json:"asked"`
	Stream   bool   `json:"stream"`
	Decision string `json:"decision"` // id; empty where pointsman was down
	Category string `json:"category"`
	Tier     string `json:"tier"`
	Model    string `json:"model"`
	// UpstreamModel is the model that the provider was asked for.
	UpstreamModel string `json:"upstream_model"`
	Why           string `json:"why"`

	// EstimatedTokens is pointsman's estimate of the prompt; the others are the
	// provider's own counts.
	EstimatedTokens int     `json:"estimated_tokens"`
	PromptTokens    int     `json:"prompt_tokens"`
	CachedTokens    int     `json:"cached_tokens"`
	OutputTokens    int     `json:"output_tokens"`
	CostUSD         float64 `json:"cost_usd"`

	Status int `json:"status"`
	// Milliseconds is what the client waited for the whole answer, and
	// AddedMilliseconds how long Envoy waited for pointsman.
	Milliseconds      float64 `json:"milliseconds"`
	AddedMilliseconds float64 `json:"added_milliseconds"`
	// OnlyModelChanged is whether the upstream received the client's bytes but
	// for the model.
	OnlyModelChanged bool `json:"only_model_changed"`
}

// newRow is what the client knows of an exchange.
func newRow(x *exchange) row {
	return row{
		Label: x.label, Asked: x.asked, Stream: x.stream,
		Model: x.header.Get(decision.HeaderModel), UpstreamModel: x.answer.model,
		PromptTokens: int(x.answer.prompt), OutputTokens: int(x.answer.output),
		CachedTokens: int(x.answer.cached),
		Status:       x.status,
		Milliseconds: float64(x.took.Microseconds()) / microsecondsPerMillisecond,
	}
}

const microsecondsPerMillisecond = 1000

// decide adds what the decision log knows. The record before it in the session
// may be nil.
func (r *row) decide(record, before *routerv1.Record) {
	d := record.GetDecision()
	r.Decision, r.Category, r.Tier, r.Model = d.GetId(), d.GetCategory(), d.GetTier(), d.GetModel()
	r.Why = why(d, before.GetDecision())
	r.EstimatedTokens = int(d.GetPromptTokens())
	r.CostUSD = record.GetUsage().GetCost()
	r.AddedMilliseconds = record.GetOutcome().GetAddedMs()
}

// A session is the same script over one API.
type session struct {
	API  string `json:"api"`
	Rows []row  `json:"rows"`
}

// cost is what all rows cost together, in USD.
func cost(played []session) float64 {
	sum := 0.0
	for _, one := range played {
		for _, r := range one.Rows {
			sum += r.CostUSD
		}
	}
	return sum
}
