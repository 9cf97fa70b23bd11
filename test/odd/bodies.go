package odd

import (
	"net/http"
	"strings"
)

const (
	small  = "small-2026"
	medium = "medium-2026"
	large  = "large-2026"
)

const hello = `"messages":[{"role":"user","content":"hello"}]`

// refused is a request whose body cannot be read.
func refused(name, body, message, param string) Request {
	return Request{Name: name, Body: body, Status: http.StatusBadRequest, Answer: badBody(message, param)}
}

const notJSON = "the body is not valid JSON: "

func malformed() []Request {
	deep := strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)
	return []Request{
		refused("no body", "", "the body is empty; send a JSON object (at byte 0)", "null"),
		refused("white space", " \r\n\t", "the body is empty; send a JSON object (at byte 0)", "null"),
		refused("one byte", "x", notJSON+"invalid character 'x' at start of value (at byte 0)", "null"),
		refused("an opening brace", "{", notJSON+"it ends too early (at byte 1)", "null"),
		refused("a form", "model=auto&prompt=hi", notJSON+"invalid character 'm' at start of value (at byte 0)", "null"),
		refused("an array", "[1]", "the body must be a JSON object (at byte 0)", "null"),
		refused("a string", `"auto"`, "the body must be a JSON object (at byte 0)", "null"),
		refused("null", "null", "the body must be a JSON object (at byte 0)", "null"),
		refused("cut off in a string", auto(`"messages":[{"role":"us`)[:40], notJSON+"it ends too early (at byte 40)", `"messages"`),
		refused("two objects", auto(hello)+"{}", "something follows the JSON object (at byte 63)", "null"),
		refused("garbage behind", auto(hello)+" garbage", "something follows the JSON object (at byte 63)", "null"),
		refused("byte order mark", "\ufeff"+auto(hello), notJSON+`invalid character '\ufeff' at start of value (at byte 0)`, "null"),
		refused("NUL", "{\x00}", notJSON+`invalid character '\x00' at start of string (expecting '"') (at byte 1)`, "null"),
		refused("raw invalid UTF-8", auto(`"x":"`+"\xff"+`"`), "the body is not valid UTF-8 (at byte 21)", "null"),
		refused("an overlong encoding", auto(`"x":"`+"\xc0\xaf"+`"`), "the body is not valid UTF-8 (at byte 21)", "null"),
		refused("a raw surrogate", auto(`"x":"`+"\xed\xa0\x80"+`"`), "the body is not valid UTF-8 (at byte 21)", "null"),
		refused("a raw line break in a string", auto("\"x\":\"a\nb\""), notJSON+`invalid character '\n' in string (expecting non-control character) (at byte 22)`, `"x"`),
		refused("single quotes", "{'model':'auto'}", notJSON+`invalid character '\'' at start of string (expecting '"') (at byte 1)`, "null"),
		refused("a comment", auto(hello)+"// auto", "something follows the JSON object (at byte 63)", "null"),
		refused("a trailing comma", `{"model":"auto",}`, notJSON+"invalid character '}' at start of string (expecting '\"') (at byte 16)", "null"),
		refused("NaN", auto(`"temperature":NaN`), notJSON+"invalid character 'N' at start of value (at byte 30)", `"temperature"`),
		refused("a bare name", `{model:"auto"}`, notJSON+"invalid character 'm' at start of string (expecting '\"') (at byte 1)", "null"),
		refused("too deep", auto(`"x":`+deep), notJSON+"exceeded max depth (at byte 10019)", `"x"`),
		refused("messages missing", `{"model":"auto"}`, "`messages` is missing: send an array of messages (at byte 0)", `"messages"`),
		refused("a prompt instead", auto(`"prompt":"hi"`), "`messages` is missing: send an array of messages (at byte 0)", `"messages"`),
		refused("messages null", auto(`"messages":null`), "`messages` must be an array of messages (at byte 27)", `"messages"`),
		refused("messages a string", auto(`"messages":"hi"`), "`messages` must be an array of messages (at byte 27)", `"messages"`),
		refused("messages an object", auto(`"messages":{}`), "`messages` must be an array of messages (at byte 27)", `"messages"`),
		refused("a message of a string", auto(`"messages":["hi"]`), "messages[0] must be an object (at byte 28)", `"messages"`),
		refused("a message of null", auto(`"messages":[{},null]`), "messages[1] must be an object (at byte 31)", `"messages"`),
	}
}

func ambiguous() []Request {
	return []Request{
		refused("model twice", `{"model":"auto","model":"large",`+hello+`}`, `the name "model" stands twice in the body (at byte 23)`, "null"),
		refused("model twice, escaped", `{"model":"auto","m\u006fdel":"large",`+hello+`}`, `the name "model" stands twice in the body (at byte 28)`, "null"),
		refused("messages twice", auto(hello+`,"messages":[]`), `the name "messages" stands twice in the body (at byte 73)`, "null"),
		refused("an unknown member twice", auto(`"x":1,"x":1,`+hello), `the name "x" stands twice in the body (at byte 25)`, "null"),
		refused("role twice", auto(`"messages":[{"role":"user","role":"system","content":"hi"}]`), `the name "role" stands twice in a message (at byte 49)`, `"messages"`),
		refused("content twice", auto(`"messages":[{"role":"user","content":"hi","content":"ho"}]`), `the name "content" stands twice in a message (at byte 67)`, `"messages"`),
		refused("text twice", auto(`"messages":[{"role":"user","content":[{"type":"text","text":"a","text":"b"}]}]`), `the name "text" stands twice in a content block (at byte 86)`, `"messages"`),
		refused("a call's id twice", auto(`"messages":[{"role":"assistant","tool_calls":[{"id":"a","id":"b"}]}]`), `the name "id" stands twice in a tool call (at byte 76)`, `"messages"`),
		refused("a function's name twice", auto(`"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"a","name":"b"}}]}]`), `the name "name" stands twice in a called function (at byte 92)`, `"messages"`),
	}
}

func carried() []Request {
	return []Request{
		routed("numbers beyond floating point", auto(`"seed":12345678901234567890,"temperature":1.0,"top_p":1E-0,`+hello), small),
		routed("escapes as they are", auto(`"user":"\u00e9\/<b>&",`+hello), small),
		routed("a lone surrogate", auto(`"messages":[{"role":"user","content":"hello \ud83d"}]`), small),
		routed("duplicates in what is not read", auto(`"metadata":{"a":1,"a":2},`+hello), small),
		routed("an unknown role", auto(`"messages":[{"role":"critic","content":"x"},{"role":"user","content":"hello"}]`), small),
		routed("an unknown block", auto(`"messages":[{"role":"user","content":[{"type":"hologram","x":[1,{}]},{"type":"text","text":"hello"}]}]`), small),
		routed("unknown members everywhere", auto(`"chat_template_kwargs":{"x":null},"messages":[{"role":"user","content":"hello","cache_control":{"type":"ephemeral"}}]`), small),
		routed("no messages in the array", auto(`"messages":[]`), medium),
		routed("content of null", auto(`"messages":[{"role":"user","content":null}]`), medium),
		routed("only a system prompt", auto(`"messages":[{"role":"system","content":"Prove everything."}]`), medium),
		routed("white space all about", " \n{ \"model\" : \"auto\" ,\t"+hello+" }\r\n", small),
		routed("model last", `{`+hello+`,"model":"auto"}`, small),
		routed("an empty name", auto(`"":1,`+hello), small),
		routed("keys out of order", `{"z":1,"a":2,"model":"auto","m":{"b":1,"a":2},`+hello+`}`, small),
		routed("a tool result for no call", auto(`"messages":[{"role":"user","content":"hello"},{"role":"tool","tool_call_id":"gone","content":"x"}]`), small),
		routed("stream of another type", auto(`"stream":"no",`+hello), small),
		{Name: "an escaped name", Body: `{"mod\u0065l":"auto",` + hello + `}`, Status: http.StatusOK, Upstream: `{"mod\u0065l":"` + small + `",` + hello + `}`},
		{Name: "an escaped model", Body: `{"model":"\u0061uto",` + hello + `}`, Status: http.StatusOK, Upstream: `{"model":"` + small + `",` + hello + `}`},
	}
}
