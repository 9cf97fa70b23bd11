package extproc

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/decision"
)

func (e *exchange) request(metadata *corev3.Metadata) filter.Request {
	return filter.Request{
		Method: e.header(":method"),
		Path:   e.header(":path"),
		Header: e.header,
		Metadata: func(namespace, key string) string {
			return metadata.GetFilterMetadata()[namespace].GetFields()[key].GetStringValue()
		},
	}
}

// header looks up a header by its lower-case name, which is how Envoy sends all
// names. Of several it returns the first.
func (e *exchange) header(name string) string {
	for _, header := range e.headers {
		if header.name == name {
			return header.value
		}
	}
	return ""
}

// spoofed reports whether the client sent a header that only pointsman may set,
// and that nothing in front has removed.
func (e *exchange) spoofed() bool {
	for _, name := range decision.OwnedHeaders() {
		if e.header(name) != "" {
			return true
		}
	}
	return false
}
