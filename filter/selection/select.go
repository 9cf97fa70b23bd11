package selection

import (
	"github.com/pointsman/pointsman/filter/decision"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// Result is a choice and what it was made from.
type Result struct {
	// Model is the chosen one.
	Model *configv1.Model
	// Required is the work's tier within the virtual model's bounds; NoTier for
	// a pinned model. The chosen model's tier is lower only where no model of
	// this tier passes the hard filters.
	Required decision.Tier
	// Cost is what the request is expected to cost, in USD.
	Cost float64
	// Candidates are all models that were considered, in configuration order,
	// each with its expected cost or with the reason why it is out.
	Candidates []*routerv1.Candidate
}

// Select chooses the model for a request.
//
// A virtual model's candidates are held against the hard filters. Of those that
// pass, the ones of at least the required tier are in; where there is none, the
// ones of the highest tier that there is. The lowest expected cost among them
// wins, and at exactly equal cost the first in configuration order.
//
// A pinned model is held against the filters that say whether it can take the
// request: API, held state, capabilities, rejected parameters, output limit and window. Its
// tier, its tool proficiency and its family are the client's choice.
//
// Its error is a *RefusedError: no candidate passes the hard filters.
func (c *Catalogue) Select(t Target, work Work) (Result, error) {
	models, required := c.pinnedModels(t), decision.NoTier
	if t.Virtual != nil {
		models, required = t.Virtual.candidates, t.Virtual.clamp(work.Tier)
	}
	d := c.demand(t, work)
	failed, highest := d.judge(models)
	f := field{models: models, failed: failed, required: required, floor: min(required, highest)}
	candidates := c.candidatesOf(&f, &d)
	best := f.cheapest(candidates)
	if best < 0 {
		return Result{}, c.refusal(t, &f, &d, candidates)
	}
	return Result{Model: models[best].Model, Required: required, Cost: candidates[best].GetCost(), Candidates: candidates}, nil
}

func (c *Catalogue) pinnedModels(t Target) []*model {
	if t.Pinned == nil {
		return nil
	}
	return []*model{c.byName[t.Pinned.GetName()]}
}

// field is the models that one request is judged over.
type field struct {
	models   []*model
	failed   []Kind        // by model: the first hard filter that holds against it
	required decision.Tier // what the work asks for
	floor    decision.Tier // what can be had of it
}

// in reports whether the i-th model can be chosen.
func (f *field) in(i int) bool { return f.failed[i] == passes && f.models[i].tier >= f.floor }

// judge applies the hard filters. It also returns the highest tier among the
// models that pass.
func (d *demand) judge(models []*model) (failed []Kind, highest decision.Tier) {
	failed = make([]Kind, len(models))
	for i, m := range models {
		failed[i] = d.firstFailed(m)
		if failed[i] == passes {
			highest = max(highest, m.tier)
		}
	}
	return failed, highest
}

// candidatesOf writes down a cost for every model that is in and a reason for
// every other.
func (c *Catalogue) candidatesOf(f *field, d *demand) []*routerv1.Candidate {
	block := make([]routerv1.Candidate, len(f.models)) // one allocation for all
	candidates := make([]*routerv1.Candidate, len(f.models))
	for i, m := range f.models {
		block[i].Model = m.GetName()
		switch {
		case f.failed[i] != passes:
			block[i].Reason = c.reason(f.failed[i], m, d)
		case !f.in(i):
			block[i].Reason = tierReason(m.tier, f.required)
		default:
			block[i].Cost = m.cost(d)
		}
		candidates[i] = &block[i]
	}
	return candidates
}

// cheapest returns the first of the models that are in with the lowest cost, or
// -1 where none is in.
func (f *field) cheapest(candidates []*routerv1.Candidate) int {
	best := -1
	for i, candidate := range candidates {
		if f.in(i) && (best < 0 || candidate.GetCost() < candidates[best].GetCost()) {
			best = i
		}
	}
	return best
}

// cost is what a request is expected to cost, in USD: the prompt at the input
// price and the expected answer at the output price, which are per million
// tokens.
//
// The conversions keep the products from being fused into the sum, which some
// processors would round differently: every replica must choose alike.
func (m *model) cost(d *demand) float64 {
	prompt := float64(float64(d.prompt) * m.GetPrice().GetInput())
	answer := float64(float64(d.expected) * m.GetPrice().GetOutput())
	return (prompt + answer) / 1e6
}
