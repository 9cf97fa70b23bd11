package odd

import (
	"net/http"
	"strings"
)

const (
	responsesPath = "/v1/responses"
	compactPath   = "/v1/responses/compact"
)

// on sends requests to another path.
func on(path string, requests ...Request) []Request {
	for i := range requests {
		requests[i].Name = path + ": " + requests[i].Name
		requests[i].Path = path
	}
	return requests
}

// unsupported is a request that no model takes. param is JSON.
func unsupported(name, body, message, param string) Request {
	return Request{Name: name, Body: body, Status: http.StatusBadRequest, Answer: problem(message, param, "unsupported_request")}
}

const (
	helloInput  = `"input":"hello"`
	inputIsGone = "`input` is missing: send a string or an array of items (at byte 0)"
	heldNowhere = " refers to a part of the conversation that a provider holds, and none of them is on a cluster marked holds_state: " +
		"send the whole conversation"
)

func malformedResponses() []Request {
	return on(responsesPath,
		refused("no body", "", "the body is empty; send a JSON object (at byte 0)", "null"),
		refused("cut off", `{"model":"auto","input":[{"ro`, notJSON+"it ends too early (at byte 29)", `"input"`),
		refused("input missing", `{"model":"auto"}`, inputIsGone, `"input"`),
		refused("input null", auto(`"input":null`), inputIsGone, `"input"`),
		refused("input a number", auto(`"input":7`), "`input` must be a string or an array of items (at byte 24)", `"input"`),
		refused("input an object", auto(`"input":{"role":"user"}`), "`input` must be a string or an array of items (at byte 24)", `"input"`),
		refused("an item of a string", auto(`"input":["hello"]`), "input[0] must be an object (at byte 25)", `"input"`),
		refused("an item of null", auto(`"input":[{"role":"user","content":"hello"},null]`), "input[1] must be an object (at byte 59)", `"input"`),
		refused("raw invalid UTF-8", auto(`"input":"`+"\xff"+`"`), "the body is not valid UTF-8 (at byte 25)", "null"),
		refused("input twice", auto(helloInput+`,"input":[]`), `the name "input" stands twice in the body (at byte 39)`, "null"),
		refused("role twice", auto(`"input":[{"role":"user","role":"system","content":"hi"}]`), `the name "role" stands twice in an item (at byte 46)`, `"input"`),
		refused("output twice", auto(`"input":[{"type":"function_call_output","output":"a","output":"b"}]`), `the name "output" stands twice in an item (at byte 77)`, `"input"`),
		refused("a part's text twice, before its type", auto(`"input":[{"content":[{"text":"a","text":"b"}],"role":"user"}]`), `the name "text" stands twice in a content block (at byte 55)`, `"input"`),
	)
}

func carriedResponses() []Request {
	input := func(name, items string, model string) Request {
		return routed(name, auto(`"input":[`+items+`]`), model)
	}
	const human = `{"role":"user","content":"hello"}`
	return on(responsesPath,
		routed("a string", auto(helloInput), small),
		routed("instructions", auto(`"instructions":"Prove everything.",`+helloInput), small),
		input("a message without a type", human, small),
		input("members in another order", `{"content":[{"text":"hello","type":"input_text"}],"role":"user","type":"message"}`, small),
		input("an injected message", human+`,{"type":"message","role":"user","content":"<environment_context>/</environment_context>"}`, small),
		input("a call and its output", human+`,{"type":"function_call","call_id":"c","name":"sh","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"Prove that P is not NP."}`, small),
		input("an output in parts", human+`,{"type":"custom_tool_call","call_id":"c","name":"p","input":"x"},{"output":[{"type":"input_text","text":"x\ud83d"}],"call_id":"c","type":"custom_tool_call_output"}`, small),
		input("an unknown item", human+`,{"type":"hologram","x":{"a":1,"a":2}}`, small),
		input("open reasoning", `{"type":"reasoning","id":"r","summary":[],"encrypted_content":null},`+human, small),
		input("an image", `{"role":"user","content":[{"type":"input_text","text":"hello"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}`, medium),
		input("a file", `{"role":"user","content":[{"type":"input_text","text":"hello"},{"type":"input_file","file_id":"f"}]}`, large),
		input("a screenshot", human+`,{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","image_url":"data:,"}}`, medium),
		routed("a schema for the answer", auto(`"text":{"format":{"type":"json_schema","name":"x","schema":{}}},`+helloInput), small),
		routed("more output than two models write", auto(`"max_output_tokens":40000,`+helloInput), large),
		routed("numbers beyond floating point", auto(`"x":12345678901234567890,"temperature":1.0,`+helloInput), small),
	)
}

// sealed work stays in the family of the API's default model, which has no model
// for documents.
func sealedResponses() []Request {
	const hard = `"input":"Prove that the square root of two is irrational."`
	const file = `"input":[{"role":"user","content":[{"type":"input_file","file_id":"f"}]}]`
	requests := on(responsesPath,
		routed("hard work", auto(hard), large),
		routed("hard work, to be sealed", auto(`"include":["reasoning.encrypted_content"],`+hard), medium),
		routed("hard work, once sealed", auto(`"input":[{"type":"reasoning","summary":[],"encrypted_content":"x"},{"role":"user","content":"Prove that the square root of two is irrational."}]`), medium),
		unsupported("a file, to be sealed", auto(`"include":["reasoning.encrypted_content"],`+file),
			"no model of auto can take this request: capabilities: nearest is small: no documents; other models are out by family", "null"),
	)
	return append(requests, on(compactPath,
		routed("hard work", auto(hard), medium),
		routed("easy work", auto(helloInput), small),
		refused("input missing", `{"model":"auto"}`, inputIsGone, `"input"`),
	)...)
}

func heldResponses() []Request {
	return on(responsesPath,
		unsupported("a response before", auto(`"previous_response_id":"resp_1",`+helloInput),
			"no model of auto can take this request: previous_response_id"+heldNowhere, `"previous_response_id"`),
		unsupported("a conversation", auto(`"conversation":{"id":"conv_1"}`),
			"no model of auto can take this request: conversation"+heldNowhere, `"conversation"`),
		unsupported("an item held", auto(`"input":[{"type":"item_reference","id":"i"}]`),
			"no model of auto can take this request: input"+heldNowhere, `"input"`),
		unsupported("a response before, for a pinned model", `{"model":"small","previous_response_id":"resp_1",`+helloInput+`}`,
			"model small cannot take this request: cluster provider-a is not marked holds_state, which previous_response_id needs", `"previous_response_id"`),
		routed("nothing held", auto(`"previous_response_id":null,"conversation":null,`+helloInput), small),
		Request{
			Name: "more context than any window", Headers: map[string]string{"x-pointsman-hint-context": "5000000"},
			Body: auto(helloInput), Status: http.StatusBadRequest,
			Answer: problem("no model of auto can take this request: context window: needs 5,254,096 tokens (prompt 5,000,000, margin 250,000, answer 4,096); largest window: large, 1,000,000 tokens", `"input"`, "context_length_exceeded"),
		},
		Request{
			Name: "the same, to be cut", Headers: map[string]string{"x-pointsman-hint-context": "5000000"},
			Body: auto(`"truncation":"auto",` + helloInput), Status: http.StatusOK,
			Upstream: strings.Replace(auto(`"truncation":"auto",`+helloInput), `"auto"`, `"`+small+`"`, 1),
		},
		Request{
			Name: "a WebSocket", Method: http.MethodGet, Headers: map[string]string{"upgrade": "websocket", "connection": "upgrade"},
			Status: http.StatusUpgradeRequired,
			Answer: problem("WebSocket is not supported on this path: send an HTTP POST", "null", "upgrade_required"),
		},
	)
}
