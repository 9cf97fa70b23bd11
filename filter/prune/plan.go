package prune

import "github.com/pointsman/pointsman/filter/conversation"

// Plan says what becomes of a request's old tool results.
type Plan struct {
	// Replaced counts the results that become a placeholder, Trimmed those that
	// are cut (R8).
	Replaced, Trimmed int
	// Saved estimates the tokens that the request has less; never negative (R3).
	Saved int
	// Cuts is at how many of the conversation's model calls, this one included,
	// more was pruned than at the one before: so often a prompt cache was broken.
	Cuts int
	// Images and Documents count what the request no longer holds of them.
	Images, Documents int
	// Edits make the changes, in the order of their places.
	Edits []conversation.Edit
}

// Plan works out what is pruned of a request. It is a function of the policy and
// of the request's messages. Neither system text nor tool definitions nor cache
// markers have a part in it; they change from call to call.
//
// A request of which the provider holds a part, or which asks the provider to
// prune, is left alone.
func (p *Pruner) Plan(req *conversation.Request) Plan {
	if !p.enabled || req.HeldState != "" || req.Pruned {
		return Plan{}
	}
	f := begin(p, req)
	f.run()
	plan := f.plan()
	f.end()
	return plan
}

// plan writes the edits for what the fold has pruned.
func (f *fold) plan() Plan {
	w := writer{req: f.req, plan: Plan{Cuts: f.cuts}}
	w.grow(f.results)
	for i := range f.results {
		if f.results[i].pruned {
			w.write(&f.results[i])
		}
	}
	return w.plan
}
