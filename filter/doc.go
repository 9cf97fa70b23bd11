// Package filter is pointsman itself: what happens to one LLM request between
// Envoy's receiving it and Envoy's sending it on. Read pipeline.go first.
//
// A Pipeline knows HTTP requests and models but not Envoy. Package extproc
// carries its verdicts over Envoy's ext_proc protocol, and `pointsman explain`
// prints them; both call the same two steps, Admit for the headers and Decide
// for the body.
package filter
