package extproc

import (
	"slices"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pointsman/pointsman/filter"
)

// body is a request's body, or a part of it, in the message that it came in.
type body struct {
	bodyAt

	message mem.Buffer
}

// bodyAt is where in a message a body stands, and whether it ends there.
type bodyAt struct {
	span

	last bool
}

// span is a half-open range of offsets in a message.
type span struct{ start, end int }

func (s span) len() int { return s.end - s.start }

func (b *body) bytes() []byte { return b.message.ReadOnlyData()[b.start:b.end] }

// free gives the memory back. Nobody may hold on to any of it.
func (b *body) free() { b.message.Free() }

// edited is the body with edits made, in the order of their places. It holds
// the memory until it is sent.
func (b *body) edited(edits []filter.Edit) mem.BufferSlice {
	pieces := make(mem.BufferSlice, 0, 2*len(edits)+1)
	at := b.start
	for _, edit := range edits {
		pieces = append(pieces, b.message.Slice(at, b.start+edit.Span.Start), mem.SliceBuffer(edit.With))
		at = b.start + edit.Span.End
	}
	return append(pieces, b.message.Slice(at, b.end))
}

// The numbers of the fields on the way to a body, in Envoy's
// external_processor.proto.
const (
	requestBody = 4 // of ProcessingRequest
	httpBody    = 1 // of HttpBody
	httpBodyEnd = 2

	dynamicMetadata = 8 // of ProcessingResponse

	bodyResponse   = 3 // of ProcessingResponse
	commonResponse = 1 // of BodyResponse
	bodyMutation   = 3 // of CommonResponse
	mutatedBody    = 1 // of BodyMutation
)

// findBody finds the body in a ProcessingRequest. It finds none in what is not
// one, too.
func findBody(wire []byte) (found bodyAt, ok bool) {
	outer, ok := find(wire, span{end: len(wire)}, requestBody)
	if !ok || outer.start == 0 {
		return found, false
	}
	inner, ok := find(wire, outer, httpBody)
	last, lastOK := findFlag(wire, outer, httpBodyEnd)
	found = bodyAt{inner, last}
	if inner.start == 0 { // an empty one is left out
		found.span = span{outer.end, outer.end}
	}
	return found, ok && lastOK
}

// find finds the content of a field in a message that is a part of wire, which
// is of bytes. It is zero where the message does not have it; ok is false for what
// is no message, or has the field twice, or not of bytes.
func find(wire []byte, message span, number protowire.Number) (content span, ok bool) {
	return findOf(protowire.BytesType, wire, message, number)
}

// findFlag reads a flag, the same way.
func findFlag(wire []byte, message span, number protowire.Number) (set, ok bool) {
	content, ok := findOf(protowire.VarintType, wire, message, number)
	value, _ := protowire.ConsumeVarint(wire[content.start:content.end])
	return value != 0, ok
}

func findOf(kind protowire.Type, wire []byte, message span, number protowire.Number) (content span, ok bool) {
	for at := message.start; at < message.end; {
		num, found, size := protowire.ConsumeField(wire[at:message.end])
		if size < 0 || num == number && (content.start > 0 || found != kind) {
			return content, false
		}
		if num == number {
			_, _, head := protowire.ConsumeTag(wire[at:])
			if kind == protowire.BytesType {
				_, length := protowire.ConsumeVarint(wire[at+head:])
				head += length
			}
			content = span{at + head, at + size}
		}
		at += size
	}
	return content, true
}

// appendBodyHead appends what stands before a body of a size in a
// ProcessingResponse that has nothing else.
func appendBodyHead(head []byte, size int) []byte {
	path := [...]protowire.Number{bodyResponse, commonResponse, bodyMutation, mutatedBody}
	lengths := [len(path)]int{}
	for i, number := range slices.Backward(path[:]) {
		lengths[i] = size
		size = protowire.SizeTag(number) + protowire.SizeBytes(size)
	}
	for i, number := range path {
		head = protowire.AppendTag(head, number, protowire.BytesType)
		head = protowire.AppendVarint(head, uint64(lengths[i])) //nolint:gosec // a length
	}
	return head
}
