// Package decision is the vocabulary that all of pointsman shares: tiers,
// categories, sources, the headers that pointsman owns, and the Decision
// itself, a generated message that is the same in the dry run, in Envoy's
// dynamic metadata and in the decision log.
package decision
