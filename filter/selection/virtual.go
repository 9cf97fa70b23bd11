package selection

import (
	"slices"

	"github.com/pointsman/pointsman/filter/decision"
)

// Virtual is a virtual model: a name that stands for "choose for me".
type Virtual struct {
	// Name is what clients put into `model`.
	Name string

	aliases    []string // globs
	candidates []*model // in configuration order
	lowest     decision.Tier
	highest    decision.Tier // NoTier: no bound
	percent    int
}

// clamp brings a tier within min_tier and max_tier. It changes what is asked
// for and excludes no model.
func (v *Virtual) clamp(tier decision.Tier) decision.Tier {
	tier = max(tier, v.lowest)
	if v.highest != decision.NoTier {
		tier = min(tier, v.highest)
	}
	return tier
}

func (v *Virtual) hasAlias(name string) bool {
	return slices.ContainsFunc(v.aliases, func(alias string) bool { return globMatches(alias, name) })
}

// Enforced reports whether the selection is enforced for a session, or only
// shadowed. The share of enforced sessions is the virtual model's
// rollout_percent. A session keeps its answer on every replica and after every
// restart, and one that is enforced at some share is enforced at every larger
// one. Requests without a session key cannot be told apart: they are enforced
// at 100 percent only.
func (v *Virtual) Enforced(sessionKey string) bool {
	if sessionKey == "" {
		return v.percent >= 100
	}
	return bucket(v.Name, sessionKey) < v.percent*buckets/100
}

const buckets = 10_000

// bucket spreads sessions evenly over the buckets, by FNV-1a. The virtual
// model's name is part of it, so that two rollouts do not begin with the same
// sessions.
func bucket(name, sessionKey string) int {
	hash := fnv1a(fnvOffset, name)
	hash = fnv1a(hash, "\x00")
	return int(fnv1a(hash, sessionKey) % buckets)
}

// Constants of 64-bit FNV-1a, as its authors publish them.
const (
	fnvOffset uint64 = 14695981039346656037
	fnvPrime  uint64 = 1099511628211
)

// fnv1a continues a hash. hash/fnv would allocate for each request.
func fnv1a(hash uint64, text string) uint64 {
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * fnvPrime
	}
	return hash
}

// Listed is a virtual model as GET /v1/models shows it.
type Listed struct {
	Name string
	// ContextWindow is the largest among its candidates, in tokens.
	ContextWindow int
	// MaxOutputTokens is the largest among its candidates; 0 where one of them
	// has no limit.
	MaxOutputTokens int
}

// ListModels returns the virtual models in configuration order.
func (c *Catalogue) ListModels() []Listed {
	listed := make([]Listed, len(c.virtual))
	for i, v := range c.virtual {
		listed[i] = Listed{Name: v.Name, ContextWindow: v.contextWindow(), MaxOutputTokens: v.maxOutputTokens()}
	}
	return listed
}

func (v *Virtual) contextWindow() int {
	var largest int64
	for _, m := range v.candidates {
		largest = max(largest, m.window)
	}
	return int(largest)
}

func (v *Virtual) maxOutputTokens() int {
	var largest int64
	for _, m := range v.candidates {
		if m.maxOutput == 0 {
			return 0
		}
		largest = max(largest, m.maxOutput)
	}
	return int(largest)
}
