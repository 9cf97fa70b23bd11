package explain

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/jsonlines"
)

// request is a line of input.
type request struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	// Other is what is not read, such as the labels of whoever keeps the lines.
	Other map[string]jsontext.Value `json:",embed"`
}

// parse reads a line. It does not mend text that is not UTF-8, which live
// traffic would not get through with.
func parse(line []byte) (request, error) {
	var req request
	if err := json.Unmarshal(line, &req); err != nil {
		return request{}, jsonlines.Fault(err, "a request")
	}
	if req.Path == "" {
		return request{}, errors.New(`not a request: "path" is missing`)
	}
	if req.Method == "" {
		req.Method = http.MethodPost
	}
	return req, req.lowerNames()
}

// unread lists the keys that are not read. A misspelt "header" is one: the
// request that is explained is another than the one that was meant.
func (r *request) unread() []string { return slices.Sorted(maps.Keys(r.Other)) }

// lowerNames puts the names of headers into lower case, since they match in any.
// Two names that then are one would leave it open which of them counts.
func (r *request) lowerNames() error {
	lower := make(map[string]string, len(r.Headers))
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		key := strings.ToLower(name)
		if _, twice := lower[key]; twice {
			return fmt.Errorf("not a request: the header %q stands twice", key)
		}
		lower[key] = r.Headers[name]
	}
	r.Headers = lower
	return nil
}

// head is the request without its body.
func (r *request) head() filter.Request {
	return filter.Request{
		Method:   r.Method,
		Path:     r.Path,
		Header:   func(name string) string { return r.Headers[name] },
		Metadata: func(string, string) string { return "" }, // there is no earlier filter
	}
}
