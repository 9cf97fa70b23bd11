package provider

import (
	"encoding/json"
	"net/http"
	"strings"
)

// An api is one provider API: how a request is read and how an answer, a
// stream or an error is written. Another API is one more file, and one more
// value in apis.
type api struct {
	// suffix ends the paths of the API, whatever prefix stands before it.
	suffix string
	// read takes a body apart. Its errors are what the client did wrong.
	read func(body []byte) (ask, error)
	// whole is the JSON answer.
	whole func(answer) any
	// script is the answer as server-sent events; nil where read never asks for a
	// stream.
	script func(answer) script
	// failure is the JSON body of an error.
	failure func(failure) any
}

var apis = []*api{&openAIChat, &openAIResponses, &openAICompact, &anthropicMessages, &anthropicCount}

// An ask is what an answer depends on, whatever the API.
type ask struct {
	model       string
	stream      bool
	caches      bool     // what is not cached yet is to be
	streamUsage bool     // the stream is to end with its usage
	text        string   // of the last message, if it is a user's
	toolResult  string   // of the last message, if it is a tool's
	tools       []string // names, in the order offered
}

// An answer is what a model would say.
type answer struct {
	ask     ask
	id      string
	created int64 // Unix seconds
	text    string
	calls   []call
	usage   usage
}

// A call is one use of an offered tool.
type call struct {
	id, name, arguments string
}

// usage counts tokens. Cached tokens are part of the prompt.
type usage struct {
	prompt, cached, completion int
}

// A failure is an error as the API tells it.
type failure struct {
	status  int
	message string
	kind    string // the dialect's type
	code    string
	param   string
}

// A script is a stream of server-sent events. Its middle is what can be
// delayed, held, cut or repeated.
type script struct {
	open, middle, end []event
}

// An event is one server-sent event. A name is written only where there is
// one.
type event struct {
	name, data string
}

func apiOf(r *http.Request) *api {
	if r.Method != http.MethodPost {
		return nil
	}
	for _, known := range apis {
		if strings.HasSuffix(r.URL.Path, known.suffix) {
			return known
		}
	}
	return nil
}

// mustJSON marshals values that this package declares; they cannot fail.
func mustJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic("provider: " + err.Error())
	}
	return string(text)
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		panic(http.ErrAbortHandler) // the client is gone
	}
}
