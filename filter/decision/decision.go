package decision

import (
	"crypto/rand"

	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// Decision is what was decided about one request and why.
type Decision = routerv1.Decision

// Where tier and category come from.
const (
	SourceClassifier = "classifier" // the classifier, possibly with one part from a hint
	SourceOverride   = "override"   // hints for both parts, or a pinned model
	SourceFallback   = "fallback"   // there was nothing to classify, or the LLM failed
	SourceCached     = "cached"     // an earlier request of the same session
)

// Who classified.
const (
	ByEmbedded = "embedded" // the model in pointsman itself
	ByLLM      = "llm"      // the one that classifier.llm names
)

// What becomes of a selection.
const (
	ModeEnforce = "enforce" // the request goes to the selected model
	ModeShadow  = "shadow"  // the request goes out as the client sent it
)

// NewID returns an id for one decision: 26 characters with 130 random bits.
func NewID() string { return rand.Text() }
