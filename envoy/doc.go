// Package envoy generates the Envoy configuration that goes with a pointsman
// configuration: one complete bootstrap with a listener, the routes that send
// each model's requests to its cluster, and the clusters.
//
// The virtual host has four kinds of route, in this order. Model routes match
// the x-selected-model that pointsman set. Pass routes match x-pointsman-pass
// and leave the body alone. Landing routes match the paths of LLM APIs; only
// they call pointsman, and when it does not answer they put the default model's
// name into the body. The plain route takes everything else, unread.
//
// Only Envoy's own message types are used, so that what cannot be expressed in
// Envoy's API cannot be generated either.
package envoy
