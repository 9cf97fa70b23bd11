// Package provider is a stand-in for a model provider, for tests and for the
// demo. It speaks OpenAI's and Anthropic's APIs over HTTP, JSON and server-sent
// events, as the providers' own client libraries expect them, answers from fixed
// rules instead of a model, and keeps what it received, byte for byte.
//
// A model name that it was not told to serve is answered with 404, as a real
// provider would: a virtual model's name that slips through is seen at once. A
// request on any other path is taken as an upload and answered with the digest
// of what arrived.
//
// # What it answers
//
// The text names the model and quotes the beginning of the last message. Where
// the request offers tools and its last message is a user's that contains the
// name of an offered tool as a word, that tool is called (each one that is
// named, in the order in which they are offered); a JSON object right after the
// name becomes the arguments, {} otherwise. A conversation that its provider would
// not take is refused with 400 and the reason: calls and results that do not
// belong together, roles or parts of results that the API has not, ids that stand
// twice, and in Messages an empty text.
//
// Usage is reckoned from the bytes of the body, four to a token. Cached tokens
// follow OpenAI's rules for automatic caching: a prefix seen before on this
// provider for the same model counts in steps of 128 tokens, from 1024 on.
//
// # How it misbehaves
//
// The Header constants are request headers that make it late, failing or
// endless. They travel through Envoy like any other header. A hold keeps an
// answer back until [Client.Open] is called, so that a test can prove an order
// of events without waiting for time to pass.
package provider
