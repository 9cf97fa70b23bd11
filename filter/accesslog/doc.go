// Package accesslog closes the loop: it is the server of Envoy's access-log
// service, and turns each finished request into one line of the decision log.
//
// An access-log entry carries everything that is known about a request: the
// decision (as dynamic metadata, put there by ext_proc), what became of it
// (status, flags, timings) and what it cost (the token usage that Envoy's
// ai_protocol_manager read from the answer). No state is kept in between, so
// any replica can receive any entry.
//
// The entries are read as Envoy 1.40 writes them. Nothing of a request is
// recorded but its path without the query, its id, its sizes and its timings:
// no header, no query, no text.
package accesslog
