package filter

import (
	"errors"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/selection"
)

// shadowed reports whether the selection is only recorded for this request.
func (a *Admitted) shadowed(d *decision.Decision, target selection.Target) bool {
	return target.Virtual != nil && !target.Virtual.Enforced(d.GetSession())
}

// shadow sends the request, byte for byte, to the model that it asked for, and
// records what would have been selected. That no model could have been selected
// is recorded too: shadow mode breaks no request that works without it.
func (a *Admitted) shadow(
	d *decision.Decision, req *conversation.Request, target selection.Target, result selection.Result, unselected error,
) Verdict {
	asked, err := a.catalogue.Asked(target.Virtual, d.GetRequestedModel(), a.api)
	if err != nil {
		return a.refuse(unresolvable(err))
	}
	d.Mode = decision.ModeShadow
	if refusal, ok := errors.AsType[*selection.RefusedError](unselected); ok {
		d.Candidates = refusal.Candidates
	} else {
		a.selected(d, result)
		d.WouldSelect = result.Model.GetName()
	}
	d.Model, d.UpstreamModel, d.Cluster = asked.GetName(), asked.GetUpstreamModel(), asked.GetCluster()
	return routed(d, req.Body)
}
