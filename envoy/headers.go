package envoy

import (
	"slices"

	mutationv3 "github.com/envoyproxy/go-control-plane/envoy/config/common/mutation_rules/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"

	"github.com/pointsman/pointsman/filter/decision"
)

// removedHeaders are taken off every request on its way to a provider: what
// only pointsman reads or sets, and what Envoy adds about the client.
func removedHeaders() []string {
	return slices.Concat(decision.OwnedHeaders(), decision.HintHeaders(), []string{"x-envoy-external-address"})
}

// removals removes each of names.
func removals(names []string) []*mutationv3.HeaderMutation {
	mutations := make([]*mutationv3.HeaderMutation, len(names))
	for i, name := range names {
		mutations[i] = &mutationv3.HeaderMutation{Action: &mutationv3.HeaderMutation_Remove{Remove: name}}
	}
	return mutations
}

// appending makes header a mutation.
func appending(header *corev3.HeaderValueOption) []*mutationv3.HeaderMutation {
	return []*mutationv3.HeaderMutation{{Action: &mutationv3.HeaderMutation_Append{Append: header}}}
}

// setHeader sets a header whatever was there before. The value is a format
// string; where it comes out empty nothing is set.
func setHeader(name, format string) *corev3.HeaderValueOption {
	return &corev3.HeaderValueOption{
		Header:       &corev3.HeaderValue{Key: name, Value: format},
		AppendAction: corev3.HeaderValueOption_OVERWRITE_IF_EXISTS_OR_ADD,
	}
}

// modelKey is the model, in a decision's metadata as in a request's body.
const modelKey = "model"

// metadata is the format string for one key of the decision's metadata.
func metadata(key string) string {
	return "%DYNAMIC_METADATA(" + decision.Namespace + ":" + key + ")%"
}

// decisionHeaders tell the client what was decided. They come from the
// decision's metadata, so there are none when pointsman did not answer.
func (g *generator) decisionHeaders() []*corev3.HeaderValueOption {
	if !g.GetEnvoy().GetResponseHeaders() {
		return nil
	}
	return []*corev3.HeaderValueOption{
		setHeader(decision.HeaderModel, metadata(modelKey)),
		setHeader(decision.HeaderDecision, metadata("id")),
	}
}
