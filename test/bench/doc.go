// Command bench measures what pointsman costs, against an external processor
// that does nothing.
//
// Two arms stand side by side, each a real Envoy of its own with the bootstrap
// that pointsman generates, in front of the same upstream. Behind the one is
// `pointsman serve`; behind the other is the program in echo, which sends every
// body back as it came. What the two have in common, Envoy's own share, the
// copies over gRPC, the machine, is in both figures; their ratio is pointsman's.
//
// For each body mode and size of body the arms take turns, round by round, so
// that whatever else the machine does meets both. Read bench.go first.
package main
