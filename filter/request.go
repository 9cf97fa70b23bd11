package filter

import (
	"net/http"
	"strings"

	"github.com/pointsman/pointsman/filter/conversation"
)

// Request is the head of an HTTP request.
type Request struct {
	Method string
	// Path is the path with its query.
	Path string
	// Header looks up a header by its lower-case name; "" where it is missing.
	Header func(name string) string
	// Metadata looks up dynamic metadata that an earlier filter set, by its
	// namespace and key; "" where it is missing.
	Metadata func(namespace, key string) string
}

const modelsPath = "/v1/models"

// endpoint is the one that the request's path belongs to.
func (r *Request) endpoint() (endpoint conversation.Endpoint, found bool) {
	path := r.pathOnly()
	for _, endpoint := range conversation.Endpoints() {
		if strings.HasSuffix(path, endpoint.Path) {
			return endpoint, true
		}
	}
	return conversation.Endpoint{}, false
}

// dialect is the API that the client speaks on a path that several have.
func (r *Request) dialect() conversation.API {
	if r.Header("anthropic-version") != "" { // Anthropic's API refuses requests without it
		return conversation.AnthropicMessages
	}
	return conversation.OpenAIChat
}

func (r *Request) listsModels() bool {
	return r.Method == http.MethodGet && strings.HasSuffix(r.pathOnly(), modelsPath)
}

// pathOnly is the path without its query.
func (r *Request) pathOnly() string {
	path, _, _ := strings.Cut(r.Path, "?")
	return path
}

// isWebSocket reports whether the request asks to become a WebSocket, in the
// form of HTTP/1.1 or in that of RFC 8441.
func (r *Request) isWebSocket() bool {
	return strings.EqualFold(r.Header("upgrade"), "websocket") || r.Header(":protocol") == "websocket"
}
