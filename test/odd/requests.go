// Package odd is a table of bad and unusual requests, each with the exact answer
// it gets. The dry run and the real Envoy are held against the same table, so
// that what `explain` says is what happens.
package odd

import (
	"net/http"
	"strings"
)

// Request is one request and what becomes of it.
type Request struct {
	Name    string
	Method  string            // POST where empty
	Path    string            // /v1/chat/completions where empty
	Headers map[string]string // content-type is application/json unless it is set
	Body    string

	// Status is what the client gets. 200 means that a provider answered.
	Status int
	// Answer is the exact body of the answer that pointsman gives; empty where a
	// provider answers.
	Answer string
	// Upstream is the exact body that the provider gets; empty where none gets
	// anything.
	Upstream string
}

// Config is the configuration that the table is written for: the repository's
// own deploy/pointsman.yaml, with these lines added.
const Config = `
limits:
  max_body_bytes: 1048576
` + pruneConfig

// Limit is the configured max_body_bytes.
const Limit = 1 << 20

const chatPath = "/v1/chat/completions"

// Requests returns the table. Method and Path are filled in.
func Requests() []Request {
	var all []Request
	for _, group := range [][]Request{
		malformed(), ambiguous(), models(), carried(), heads(), capabilities(), paths(),
		malformedResponses(), carriedResponses(), sealedResponses(), heldResponses(),
		malformedMessages(), carriedMessages(), headsOfMessages(),
		prunedChat(), oddlyPairedChat(), prunedResponses(), prunedMessages(),
	} {
		all = append(all, group...)
	}
	for i := range all {
		if all[i].Method == "" {
			all[i].Method = http.MethodPost
		}
		if all[i].Path == "" {
			all[i].Path = chatPath
		}
	}
	return all
}

// problem is the error body of OpenAI's API. param and code are JSON.
func problem(message, param, code string) string {
	message = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(message)
	return `{"error":{"message":"` + message + `","type":"invalid_request_error","param":` + param + `,"code":"` + code + `"}}`
}

func badBody(message, param string) string { return problem(message, param, "malformed_body") }

// auto is a body for the virtual model auto with more members.
func auto(members string) string { return `{"model":"auto",` + members + `}` }

// routed is a request that is carried: the provider gets the body with another
// model and nothing else changed.
func routed(name, body, model string) Request {
	return Request{
		Name: name, Body: body, Status: http.StatusOK,
		Upstream: strings.Replace(body, `"auto"`, `"`+model+`"`, 1),
	}
}
