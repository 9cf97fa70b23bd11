// Package sdk drives real client libraries, and requests in the shape of real
// coding agents, through a real Envoy with pointsman: what a client's author
// wrote has to work unchanged, and to see pointsman's errors as its own.
//
// Sessions of about a megabyte go through with pruning on, turn by turn, in both
// of Envoy's body modes, and once straight to a provider: nothing but old tool
// results may differ, and what was sent before stays the beginning of what is sent
// next.
//
// The libraries are OpenAI's and Anthropic's own for Python, JavaScript and Go.
// `make sdks` puts those of Python and JavaScript, at the versions pinned in
// requirements.txt and package-lock.json, into .tools.
package sdk
