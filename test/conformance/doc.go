// Package conformance holds the two body modes to one promise on a real Envoy:
// the provider gets exactly the bytes that the pipeline says, framed as the
// client framed them, and nothing of pointsman's, and the client gets exactly
// what the provider answered. It does so for every combination of the API, the
// body's size, the client's protocol, the framing, the coding, and the external
// processors that stand before or behind pointsman in Envoy's filter chain.
//
// `go test` runs a part of the matrix in which every two of these meet, `make
// conformance` all of it. Where the matrix has a hole, a test shows the reason.
package conformance
