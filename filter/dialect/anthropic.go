package dialect

import (
	"fmt"
	"net/http"
)

// Anthropic's error object, as its API reference has it.
type anthropicErrorBody struct {
	Type  string               `json:"type"`
	Error anthropicErrorObject `json:"error"`
}

type anthropicErrorObject struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// statusOverloaded is what Anthropic's API answers instead of 503.
const statusOverloaded = 529

func anthropicError(p Problem) Response {
	status := p.Status
	if status == http.StatusServiceUnavailable {
		status = statusOverloaded
	}
	message := p.Message
	if p.Code == CodeContextLength && p.Tokens > p.Maximum {
		// Clients look for these very words, and compact the conversation.
		message = fmt.Sprintf("prompt is too long: %d tokens > %d maximum", p.Tokens, p.Maximum)
	}
	return Response{Status: status, Body: marshal(anthropicErrorBody{
		Type: "error", Error: anthropicErrorObject{Type: anthropicErrorType(status), Message: message},
	})}
}

func anthropicErrorType(status int) string {
	switch {
	case status == http.StatusNotFound:
		return "not_found_error"
	case status == http.StatusRequestEntityTooLarge:
		return "request_too_large"
	case status == statusOverloaded:
		return "overloaded_error"
	case status >= http.StatusInternalServerError:
		return "api_error"
	default:
		return "invalid_request_error"
	}
}
