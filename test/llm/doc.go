// Package llm runs `pointsman serve` with an LLM classifier behind a real Envoy,
// and holds it to its promise: whether the LLM answers, is slow, says something
// else or is not there, each request is routed in time, and its decision says by
// whose word.
package llm
