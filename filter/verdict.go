package filter

import (
	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/dialect"
)

// Verdict is what becomes of a request: it is answered, or passed through as it
// came, or routed.
type Verdict struct {
	// Answer is sent back instead of the request's being sent on; nil where it
	// is sent on.
	Answer *dialect.Response
	// Why is a stable word for why it is answered, such as
	// dialect.CodeModelNotFound; empty where it is sent on.
	Why string
	// PassedThrough is true where the request is none of pointsman's business,
	// or is configured not to be.
	PassedThrough bool
	// Decision is set where the request is routed.
	Decision *decision.Decision
	// Set are the headers that the request is given, and Remove the names of
	// those that it loses, on its way on.
	Set    []Header
	Remove []string
	// Edits are what is changed of the body that Decide was given, in the order of
	// their places.
	Edits []Edit

	body []byte // what Decide was given
}

// Header is a header's name, in lower case, and its value.
type Header struct{ Name, Value string }

// Edit replaces a part of a body.
type Edit = conversation.Edit

// Changed reports whether something else goes upstream than what came.
func (v Verdict) Changed() bool { return len(v.Edits) > 0 }

// Upstream is the body that goes upstream. It is the very one that Decide was
// given where nothing is changed.
func (v Verdict) Upstream() []byte { return conversation.Apply(v.body, v.Edits) }

// Length is the length of Upstream, in bytes.
func (v Verdict) Length() int { return conversation.Length(v.body, v.Edits) }

func answered(answer dialect.Response, why string) Verdict {
	return Verdict{Answer: &answer, Why: why}
}

// passedThrough sends the request on as it came, less the headers that a client
// has no business to set.
func passedThrough(body []byte, set ...Header) Verdict {
	return Verdict{PassedThrough: true, body: body, Set: set, Remove: removed(set)}
}

// routed sends the request to the decision's model.
func routed(d *decision.Decision, body []byte, edits ...Edit) Verdict {
	set := headersOf(d)
	return Verdict{Decision: d, Set: set, Remove: removed(set), body: body, Edits: edits}
}

// headersOf are the headers that tell Envoy, and whoever reads its logs, what
// was decided.
func headersOf(d *decision.Decision) []Header {
	set := []Header{
		{decision.HeaderModel, d.GetModel()},
		{decision.HeaderCluster, d.GetCluster()},
		{decision.HeaderDecision, d.GetId()},
	}
	if d.GetTier() != "" {
		set = append(set, Header{decision.HeaderTier, d.GetTier()})
	}
	if d.GetCategory() != "" {
		set = append(set, Header{decision.HeaderCategory, d.GetCategory()})
	}
	return set
}

// removed lists the owned headers that are not set, and all hints: no header of
// these names that a client sent goes further.
func removed(set []Header) []string {
	var remove []string
	for _, name := range decision.OwnedHeaders() {
		if !contains(set, name) {
			remove = append(remove, name)
		}
	}
	return append(remove, decision.HintHeaders()...)
}

func contains(set []Header, name string) bool {
	for _, header := range set {
		if header.Name == name {
			return true
		}
	}
	return false
}
