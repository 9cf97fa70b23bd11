package odd

import (
	"net/http"
	"strings"
)

const (
	messagesPath = "/v1/messages"
	countPath    = "/v1/messages/count_tokens"
)

// anthropicProblem is the error body of Anthropic's API.
func anthropicProblem(kind, message string) string {
	message = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(message)
	return `{"type":"error","error":{"type":"` + kind + `","message":"` + message + `"}}`
}

func refusedMessages(name, body, message string) Request {
	return Request{Name: name, Body: body, Status: http.StatusBadRequest, Answer: anthropicProblem("invalid_request_error", message)}
}

// limited is a body of Messages for auto with the content of a user message.
func limited(content string) string {
	return auto(`"max_tokens":64,"messages":[{"role":"user","content":` + content + `}]`)
}

func malformedMessages() []Request {
	return on(messagesPath,
		refusedMessages("no body", "", "the body is empty; send a JSON object (at byte 0)"),
		refusedMessages("an array", "[]", "the body must be a JSON object (at byte 0)"),
		refusedMessages("cut off", `{"model":"auto","messages":[{"ro`, notJSON+"it ends too early (at byte 32)"),
		refusedMessages("messages missing", `{"model":"auto"}`, "`messages` is missing: send an array of messages (at byte 0)"),
		refusedMessages("an input instead", auto(helloInput), "`messages` is missing: send an array of messages (at byte 0)"),
		refusedMessages("messages a string", auto(`"messages":"hi"`), "`messages` must be an array of messages (at byte 27)"),
		refusedMessages("a message of a string", auto(`"messages":["hi"]`), "messages[0] must be an object (at byte 28)"),
		refusedMessages("system twice", auto(`"system":"a","system":"b",`+hello), `the name "system" stands twice in the body (at byte 37)`),
		refusedMessages("a result's id twice", limited(`[{"type":"tool_result","tool_use_id":"a","tool_use_id":"b"}]`), `the name "tool_use_id" stands twice in a content block (at byte 123)`),
		refusedMessages("a part's text twice, before the type", limited(`[{"content":[{"text":"a","text":"b"}],"type":"tool_result"}]`), `the name "text" stands twice in a content block (at byte 100)`),
		refusedMessages("a source's data twice", limited(`[{"type":"image","source":{"data":"a","data":"b"}}]`), `the name "data" stands twice in a source (at byte 113)`),
		refusedMessages("model missing", `{`+hello+`}`, "`model` is missing: name a model"),
		Request{
			Name: "model unknown", Body: `{"model":"claude-9",` + hello + `}`, Status: http.StatusNotFound,
			Answer: anthropicProblem("not_found_error", `unknown model "claude-9": ask for auto, auto-fast or for a model of the catalogue`),
		},
		Request{
			Name: "a model that speaks other APIs", Body: `{"model":"small",` + hello + `}`, Status: http.StatusNotFound,
			Answer: anthropicProblem("not_found_error", `model "small" does not speak anthropic_messages: it speaks openai_chat_completions, openai_responses`),
		},
	)
}

func carriedMessages() []Request {
	return on(messagesPath,
		routed("a string", limited(`"hello"`), large),
		routed("system text", auto(`"max_tokens":64,"system":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}],`+hello), large),
		routed("an image", limited(`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]`), large),
		routed("a document", limited(`[{"source":{"data":"x","type":"text","media_type":"text/plain"},"type":"document"}]`), large),
		routed("signed thinking", auto(`"max_tokens":64,"thinking":{"type":"adaptive"},"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"text","text":"hi"}]},{"role":"user","content":"hello"}]`), large),
		routed("a tool loop", auto(`"max_tokens":64,"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"sh","input":{"a":1,"a":2}}]},{"role":"user","content":[{"content":[{"type":"text","text":"cut \ud83d"}],"is_error":false,"tool_use_id":"t","type":"tool_result"}]}]`), large),
		routed("an unknown block", limited(`[{"type":"hologram","content":[{"a":1,"a":2}]},{"type":"text","text":"hello"}]`), large),
		routed("what clients add by themselves", auto(`"max_tokens":64,"context_management":{"edits":[{"type":"clear_thinking_20251015"}]},"metadata":{"user_id":"user_a_account_b_session_c"},`+hello), large),
		routed("numbers beyond floating point", auto(`"max_tokens":64,"x":12345678901234567890,"temperature":1.0,`+hello), large),
		Request{
			Name: "a parameter that the model rejects", Body: auto(`"max_tokens":64,"thinking":{"type":"disabled"},` + hello), Status: http.StatusBadRequest,
			Answer: anthropicProblem("invalid_request_error", "no model of auto can take this request: rejected parameters: nearest is large: rejects thinking.type=disabled; other models are out by API"),
		},
		Request{
			Name: "more output than any model writes", Body: auto(`"max_tokens":90000,` + hello), Status: http.StatusBadRequest,
			Answer: anthropicProblem("invalid_request_error", "no model of auto can take this request: output limit: asks for 90,000 tokens; largest limit: large, 64,000 tokens; other models are out by API"),
		},
	)
}

func headsOfMessages() []Request {
	huge := map[string]string{"x-pointsman-hint-context": "5000000"}
	requests := on(messagesPath,
		Request{
			Name: "more context than any window", Headers: huge, Body: limited(`"hello"`), Status: http.StatusBadRequest,
			Answer: anthropicProblem("invalid_request_error", "prompt is too long: 5000000 tokens > 952320 maximum"),
		},
		Request{
			Name: "one byte over the limit", Body: limited(`"` + strings.Repeat("x", Limit+1-len(limited(`""`))) + `"`), Status: http.StatusRequestEntityTooLarge,
			Answer: anthropicProblem("request_too_large", "the request body is larger than the limit of 1048576 bytes"),
		},
		Request{
			Name: "an encoded body", Headers: map[string]string{"content-encoding": "br"}, Body: limited(`"hello"`), Status: http.StatusUnsupportedMediaType,
			Answer: anthropicProblem("invalid_request_error", `content-encoding "br" is not supported here: send the body as plain JSON`),
		},
		Request{
			Name: "a hint of no tier", Headers: map[string]string{"x-pointsman-hint-tier": "hard"}, Body: limited(`"hello"`), Status: http.StatusBadRequest,
			Answer: anthropicProblem("invalid_request_error", `header x-pointsman-hint-tier: unknown tier "hard": use simple, medium, complex or reasoning`),
		},
		Request{
			Name: "a WebSocket", Method: http.MethodGet, Headers: map[string]string{"upgrade": "websocket", "connection": "upgrade"},
			Status: http.StatusUpgradeRequired,
			Answer: anthropicProblem("invalid_request_error", "WebSocket is not supported on this path: send an HTTP POST"),
		},
	)
	requests = append(requests, on(messagesPath+"?beta=true", routed("a query", limited(`"hello"`), large))...)
	tooMany := routed("more context than any window", auto(hello), large)
	tooMany.Headers = huge
	requests = append(requests, on(countPath,
		routed("no limit on the answer", auto(`"system":"x",`+hello), large), tooMany,
		refusedMessages("messages missing", `{"model":"auto"}`, "`messages` is missing: send an array of messages (at byte 0)"),
	)...)
	return append(requests, on("/v1/models", Request{
		Name: "for a client of Messages", Method: http.MethodGet, Headers: map[string]string{"anthropic-version": "2023-06-01"}, Status: http.StatusOK,
		Answer: `{"data":[` + anthropicList + `],"has_more":false,"first_id":"auto","last_id":"auto-fast","models":[` + anthropicList + `]}`,
	})...)
}

const anthropicList = `{"type":"model","id":"auto","display_name":"auto","created_at":"1970-01-01T00:00:00Z","context_window":1000000},` +
	`{"type":"model","id":"auto-fast","display_name":"auto-fast","created_at":"1970-01-01T00:00:00Z","context_window":1000000}`
