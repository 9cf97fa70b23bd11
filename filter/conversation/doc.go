// Package conversation reads the body of an LLM request once, whatever its API,
// into one shape: turns with their roles, blocks with a token estimate each,
// where the model's value stands, what a model must be capable of.
//
// What it keeps are byte offsets into the body. Nothing is ever unmarshalled
// and marshalled again: an edit replaces a span, and every other byte, key
// order, number and escape goes out as it came in.
//
// Refused is what two readers could take differently: text that is not JSON,
// raw invalid UTF-8, a name that stands twice in an object that is read here.
// So is a body of more pieces than any client sends, or of emptier ones, which
// would take many times its size to hold. Everything else is carried: unknown
// roles, blocks and fields, and the lone surrogate escapes that cut-off tool
// output contains.
package conversation
