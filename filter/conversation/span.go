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

// Apply returns a body with edits made, in one allocation; without edits it is
// the body itself. Edits are in the order of their places and do not overlap.
func Apply(body []byte, edits []Edit) []byte {
	if len(edits) == 0 {
		return body
	}
	out := make([]byte, 0, Length(body, edits))
	done := 0
	for _, edit := range edits {
		out = append(out, body[done:edit.Span.Start]...)
		out = append(out, edit.With...)
		done = edit.Span.End
	}
	return append(out, body[done:]...)
}

// Sorted puts one more edit in its place among edits that are in order.
func Sorted(edits []Edit, more Edit) []Edit {
	at, _ := slices.BinarySearchFunc(edits, more, func(a, b Edit) int { return a.Span.Start - b.Span.Start })
	return slices.Insert(edits, at, more)
}

// Length is the length that a body has with edits made.
func Length(body []byte, edits []Edit) int {
	size := len(body)
	for _, edit := range edits {
		size += len(edit.With) - edit.Span.Len()
	}
	return size
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
