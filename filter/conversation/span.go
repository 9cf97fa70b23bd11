package conversation

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Span is a half-open range of byte offsets in a body.
type Span struct{ Start, End int }

// Len is the span's length in bytes.
func (s Span) Len() int { return s.End - s.Start }

func (s Span) of(body []byte) []byte { return body[s.Start:s.End] }

// Edit replaces the bytes of a span. An empty span inserts.
type Edit struct {
	Span Span
	With []byte
}

// Apply returns the body with the edits made, in one allocation; without edits
// it is the body itself. Edits must not overlap.
func (r *Request) Apply(edits ...Edit) []byte {
	if len(edits) == 0 {
		return r.Body
	}
	slices.SortFunc(edits, func(a, b Edit) int { return a.Span.Start - b.Span.Start })
	size := len(r.Body)
	for _, edit := range edits {
		size += len(edit.With) - edit.Span.Len()
	}
	out := make([]byte, 0, size)
	done := 0
	for _, edit := range edits {
		out = append(out, r.Body[done:edit.Span.Start]...)
		out = append(out, edit.With...)
		done = edit.Span.End
	}
	return append(out, r.Body[done:]...)
}

// SetModel is the edit that makes name the body's model. A body without `model`
// gets one as its first member; a value that is not a string is replaced.
func (r *Request) SetModel(name string) Edit {
	// AppendQuote fails on invalid UTF-8 alone, and configuration has none.
	value, _ := jsontext.AppendQuote(nil, name)
	if r.model.Len() > 0 {
		return Edit{Span: r.model, With: value}
	}
	member := append([]byte(`"model":`), value...)
	if len(r.parameters) > 0 {
		member = append(member, ',')
	}
	return Edit{Span: Span{r.opening + 1, r.opening + 1}, With: member}
}
