// Package selection chooses the model for a request.
//
// A [Catalogue] is made once from a configuration. [Catalogue.Resolve] finds
// what a request's `model` means: a virtual model, which stands for "choose for
// me", or one model of the catalogue, pinned. [Catalogue.Select] then holds
// every candidate against the hard filters, keeps those whose tier suffices,
// and takes the one with the lowest expected cost. Every candidate that is out
// has its reason; where all of them are, the [RefusedError] says what is missing and
// which model came nearest.
//
// The token count that it is given is that of the pruned request, so that a
// session that pruning brings under a cheap model's window goes to the cheap
// model (R4).
//
// Selection knows models and not Envoy: it has no HTTP statuses and no headers.
package selection
