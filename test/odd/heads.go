package odd

import (
	"net/http"
	"strings"
)

func models() []Request {
	unknown := func(name, model, message string) Request {
		return Request{
			Name: name, Body: `{"model":` + model + `,` + hello + `}`, Status: http.StatusNotFound,
			Answer: problem(message, `"model"`, "model_not_found"),
		}
	}
	missing := func(name, body, message string) Request {
		return Request{Name: name, Body: body, Status: http.StatusBadRequest, Answer: problem(message, `"model"`, "missing_model")}
	}
	const ask = ": ask for auto, auto-fast or for a model of the catalogue"
	return []Request{
		missing("no model", `{`+hello+`}`, "`model` is missing: name a model"),
		missing("model null", `{"model":null,`+hello+`}`, "`model` is missing: name a model"),
		missing("model a number", `{"model":7,`+hello+`}`, "`model` must be a string"),
		missing("model an object", `{"model":{"name":"auto"},`+hello+`}`, "`model` must be a string"),
		unknown("model empty", `""`, `unknown model ""`+ask),
		unknown("model unknown", `"gpt-9"`, `unknown model "gpt-9"`+ask),
		unknown("model in capitals", `"AUTO"`, `unknown model "AUTO"`+ask),
		unknown("model with a space", `"auto "`, `unknown model "auto "`+ask),
		unknown("model with quotes", `"a\"b\\"`, `unknown model "a\"b\\"`+ask),
		unknown("model of a megabyte's beginning", `"`+strings.Repeat("m", 5000)+`"`, `unknown model "`+strings.Repeat("m", 100)+`"…`+ask),
		{Name: "pinned by name", Body: `{"model":"large",` + hello + `}`, Status: http.StatusOK, Upstream: `{"model":"` + large + `",` + hello + `}`},
		{Name: "pinned by upstream model", Body: `{"model":"` + medium + `",` + hello + `}`, Status: http.StatusOK, Upstream: `{"model":"` + medium + `",` + hello + `}`},
	}
}

// withHeaders is a request for auto with some headers.
func withHeaders(name string, headers map[string]string, model string) Request {
	r := routed(name, auto(hello), model)
	r.Headers = headers
	return r
}

func badHint(name, header, value, message string) Request {
	return Request{
		Name: name, Headers: map[string]string{header: value}, Body: auto(hello), Status: http.StatusBadRequest,
		Answer: problem("header "+header+": "+message, "null", "invalid_hint"),
	}
}

func heads() []Request {
	encoded := func(encoding string) Request {
		return Request{
			Name: "encoded as " + encoding, Headers: map[string]string{"content-encoding": encoding}, Body: auto(hello),
			Status: http.StatusUnsupportedMediaType,
			Answer: problem(`content-encoding "`+encoding+`" is not supported here: send the body as plain JSON`, `"content-encoding"`, "unsupported_encoding"),
		}
	}
	tooLarge := problem("the request body is larger than the limit of 1048576 bytes", "null", "request_too_large")
	pad := func(size int) string {
		frame := auto(`"pad":"",` + hello)
		return auto(`"pad":"` + strings.Repeat("x", size-len(frame)) + `",` + hello)
	}
	return []Request{
		badHint("a hint of no tier", "x-pointsman-hint-tier", "hard", `unknown tier "hard": use simple, medium, complex or reasoning`),
		badHint("a hint of a tier in capitals", "x-pointsman-hint-tier", "Simple", `unknown tier "Simple": use simple, medium, complex or reasoning`),
		badHint("a hint of no number", "x-pointsman-hint-context", "12k", `invalid number of tokens "12k": use an integer from 0 to 100000000`),
		badHint("a hint below zero", "x-pointsman-hint-context", "-1", `invalid number of tokens "-1": use an integer from 0 to 100000000`),
		withHeaders("a hint of a tier", map[string]string{"x-pointsman-hint-tier": "reasoning"}, large),
		withHeaders("hints in any case of the name", map[string]string{"X-Pointsman-Hint-Tier": "complex"}, large),
		withHeaders("a hint of much context", map[string]string{"x-pointsman-hint-context": "150000"}, medium),
		withHeaders("a model of the client's own", map[string]string{"x-selected-model": "large", "x-pointsman-decision": "mine"}, small),
		withHeaders("the mark of what is passed through", map[string]string{"x-pointsman-pass": "1"}, small),
		encoded("br"),
		encoded("base64"),
		{Name: "exactly at the limit", Body: pad(Limit), Status: http.StatusOK, Upstream: strings.Replace(pad(Limit), `"auto"`, `"`+small+`"`, 1)},
		{Name: "one byte over the limit", Body: pad(Limit + 1), Status: http.StatusRequestEntityTooLarge, Answer: tooLarge},
	}
}

func capabilities() []Request {
	image := `"messages":[{"role":"user","content":[{"type":"text","text":"hello"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}]`
	document := `"messages":[{"role":"user","content":[{"type":"text","text":"hello"},{"type":"file","file":{"file_id":"f"}}]}]`
	return []Request{
		routed("an image", auto(image), medium),
		routed("a document", auto(document), large),
		routed("more output than two models write", auto(`"max_tokens":40000,`+hello), large),
		routed("a parameter that one model rejects", auto(`"logprobs":true,`+hello), small),
		{
			Name: "more output than any model writes", Body: auto(`"max_tokens":9000000,` + hello), Status: http.StatusBadRequest,
			Answer: problem("no model of auto can take this request: output limit: asks for 9,000,000 tokens; largest limit: large, 64,000 tokens", "null", "unsupported_request"),
		},
		{
			Name: "an image for a blind model", Body: `{"model":"small",` + image + `}`, Status: http.StatusBadRequest,
			Answer: problem("model small cannot take this request: no vision", "null", "unsupported_request"),
		},
		{
			Name: "a rejected parameter for a pinned model", Body: `{"model":"large","logprobs":true,` + hello + `}`, Status: http.StatusBadRequest,
			Answer: problem("model large cannot take this request: rejects logprobs", "null", "unsupported_request"),
		},
		{
			Name: "more context than any window", Headers: map[string]string{"x-pointsman-hint-context": "5000000"},
			Body: auto(hello), Status: http.StatusBadRequest,
			Answer: problem("no model of auto can take this request: context window: needs 5,254,096 tokens (prompt 5,000,000, margin 250,000, answer 4,096); largest window: large, 1,000,000 tokens", `"messages"`, "context_length_exceeded"),
		},
	}
}

func paths() []Request {
	return []Request{
		{
			Name: "a WebSocket", Method: http.MethodGet, Headers: map[string]string{"upgrade": "websocket", "connection": "upgrade"},
			Status: http.StatusUpgradeRequired,
			Answer: problem("WebSocket is not supported on this path: send an HTTP POST", "null", "upgrade_required"),
		},
		routedOn("/v1/chat/completions?api-version=2026-01-01"),
		routedOn("/openai/v1/chat/completions"),
		{
			Name: "the list of models", Method: http.MethodGet, Path: "/v1/models?limit=5", Status: http.StatusOK,
			Answer: `{"object":"list","data":[` + list + `],"models":[` + list + `]}`,
		},
	}
}

const list = `{"id":"auto","object":"model","created":0,"owned_by":"pointsman","context_window":1000000},` +
	`{"id":"auto-fast","object":"model","created":0,"owned_by":"pointsman","context_window":1000000}`

func routedOn(path string) Request {
	r := routed("the path "+path, auto(hello), small)
	r.Path = path
	return r
}
