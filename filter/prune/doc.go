// Package prune decides which old tool results a request need not carry, and
// writes what stands in their place.
//
// What a request of these APIs holds is the whole conversation, so what would
// have been pruned at each of its earlier model calls can be worked out again
// from the messages alone: Plan folds over them. The plan at one call extends
// the plan at the call before, so every replica, at any time, sends the same
// bytes for the same beginning, and the provider's prompt cache keeps it.
//
// A cut breaks the cache from its place on. It is made only where what it saves
// in the calls still expected is more than what the break costs, from the place
// where that gains the most, and not when waiting for a result that is about to
// become old gains more.
//
// Nothing but tool results is ever changed, and none is removed: a result is
// replaced by a placeholder, or trimmed to its two ends.
package prune
