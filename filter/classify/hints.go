package classify

import (
	"fmt"
	"strconv"

	"github.com/pointsman/pointsman/filter/decision"
)

// maxHintedContext bounds the context hint, in tokens: a hundred times the
// largest windows in use, and far from overflowing sums of tokens.
const maxHintedContext = 100_000_000

// Hints is what the client says about its request. A zero field is no hint.
type Hints struct {
	Tier     decision.Tier
	Category decision.Category
	// Context is a floor under the measured prompt, in tokens. The classifier
	// has no use for it; selection has.
	Context int
}

// ParseHints reads the values of the three hint headers; an empty value is no
// hint. An error names the header, its value and what is allowed, for the
// client's eyes.
func ParseHints(tier, category, context string) (Hints, error) {
	var hints Hints
	var err error
	if hints.Tier, err = decision.ParseTier(brief(tier)); err != nil {
		return Hints{}, fmt.Errorf("header %s: %w", decision.HeaderHintTier, err)
	}
	if hints.Category, err = decision.ParseCategory(brief(category)); err != nil {
		return Hints{}, fmt.Errorf("header %s: %w", decision.HeaderHintCategory, err)
	}
	if hints.Context, err = parseContext(context); err != nil {
		return Hints{}, fmt.Errorf("header %s: %w", decision.HeaderHintContext, err)
	}
	return hints, nil
}

func parseContext(value string) (int, error) {
	if value == "" {
		return 0, nil
	}
	tokens, err := strconv.ParseUint(value, 10, 32)
	if err != nil || tokens > maxHintedContext {
		return 0, fmt.Errorf("invalid number of tokens %q: use an integer from 0 to %d", brief(value), maxHintedContext)
	}
	return int(tokens), nil
}

// brief keeps a client's header value from filling an error message. It is
// longer than every valid value, so it makes no invalid value valid.
func brief(value string) string { return headChars(value, 64) }

// complete reports hints that leave nothing to classify.
func (h Hints) complete() bool { return h.Tier != decision.NoTier && h.Category != decision.NoCategory }

// name is the part of the answer that a single hint replaces.
func (h Hints) name() string {
	switch {
	case h.complete():
		return ""
	case h.Tier != decision.NoTier:
		return "tier"
	case h.Category != decision.NoCategory:
		return "category"
	default:
		return ""
	}
}
