package dialect

import (
	"bytes"
	"encoding/json"

	"github.com/pointsman/pointsman/filter/conversation"
)

// Response is an answer that pointsman gives instead of a model provider. Its
// body is always JSON.
type Response struct {
	Status int
	Body   []byte
	// RetryAfter is after how many seconds another attempt makes sense; 0 where
	// none does, or it is not known.
	RetryAfter int
}

// ContentType is the content type of every Response.
const ContentType = "application/json"

// Problem is why a request is not sent on, before it is put into anybody's
// dialect.
type Problem struct {
	// Status is the HTTP status.
	Status int
	// Code is a stable word for programs, such as CodeModelNotFound.
	Code string
	// Param is the parameter or header that is at fault; empty for none.
	Param string
	// Message says what is wrong and what to do.
	Message string
	// RetryAfter is as in Response.
	RetryAfter int
	// Tokens and Maximum are, with CodeContextLength, the estimated prompt and the
	// longest that would have been taken.
	Tokens, Maximum int
}

// The codes of problems. Those that OpenAI's API has are called what they are
// called there, since programs look for them.
const (
	CodeMalformedBody       = "malformed_body"
	CodeMissingModel        = "missing_model"
	CodeModelNotFound       = "model_not_found"
	CodeContextLength       = "context_length_exceeded"
	CodeUnsupported         = "unsupported_request"
	CodeInvalidHint         = "invalid_hint"
	CodeRequestTooLarge     = "request_too_large"
	CodeUnsupportedEncoding = "unsupported_encoding"
	CodeUpgradeRequired     = "upgrade_required"
	CodeOverloaded          = "overloaded"
)

// Error writes a problem in an API's dialect, which may have a status of its own
// for it.
func Error(api conversation.API, p Problem) Response {
	write := openAIError
	if api == conversation.AnthropicMessages {
		write = anthropicError
	}
	response := write(p)
	response.RetryAfter = p.RetryAfter
	return response
}

// marshal writes JSON without escaping what only HTML needs escaped.
func marshal(value any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err) // the types of this package hold nothing that cannot be written
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}
