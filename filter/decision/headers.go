package decision

// Namespace is the dynamic-metadata namespace of decisions in Envoy.
const Namespace = "pointsman"

// The headers that pointsman owns. A client's own are removed before any route
// is chosen, and pointsman's are removed before the upstream.
const (
	HeaderModel    = "x-selected-model"
	HeaderCluster  = "x-selected-cluster"
	HeaderDecision = "x-pointsman-decision"
	HeaderTier     = "x-pointsman-tier"
	HeaderCategory = "x-pointsman-category"
	// HeaderPass marks a request that is passed through on purpose, so that
	// its route leaves the body alone.
	HeaderPass = "x-pointsman-pass"
	// HeaderAsked is the model that a request asks for. Envoy itself sets it,
	// and only while pointsman does not answer, so that a pinned model keeps its
	// name in an outage.
	HeaderAsked = "x-pointsman-asked"
)

// The hint headers that a client may send. They are removed before the
// upstream.
const (
	HeaderHintTier     = "x-pointsman-hint-tier"
	HeaderHintCategory = "x-pointsman-hint-category"
	HeaderHintContext  = "x-pointsman-hint-context"
)

// OwnedHeaders lists the headers that only pointsman may set.
func OwnedHeaders() []string {
	return []string{HeaderModel, HeaderCluster, HeaderDecision, HeaderTier, HeaderCategory, HeaderPass, HeaderAsked}
}

// HintHeaders lists the headers by which a client may steer its request.
func HintHeaders() []string {
	return []string{HeaderHintTier, HeaderHintCategory, HeaderHintContext}
}
