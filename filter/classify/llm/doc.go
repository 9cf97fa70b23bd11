// Package llm asks a language model what kind of work a request is, at any
// server that speaks OpenAI's Chat Completions.
//
// It asks after the embedded model has answered, and it keeps nobody waiting:
// every question has a deadline, no more than a configured number are under way,
// the same question is asked once for all who have it at the moment, and a server
// that keeps failing is left alone for a while. Where it gets no answer, what the
// configuration says holds, and a stable word in the decision says why.
//
// The text to classify is a user message and the instruction a system message,
// both from [classify.Frame]. Whatever a text talks the model into, an answer is
// a category, a tier and a difficulty out of the vocabulary, or it is none.
//
// The client is net/http with the few fields that are needed. OpenAI's own
// library would make the binary 25 MB larger (measured: v3.99), retries by itself
// and reads answers of any length.
package llm
