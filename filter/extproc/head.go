package extproc

import "google.golang.org/protobuf/encoding/protowire"

// head is the head of a request.
type head struct {
	headers []header
	last    bool // nothing comes after it
}

type header struct{ name, value string }

// usualHeaders is how many headers a request has, at most, as a rule.
const usualHeaders = 32

// The numbers of the fields on the way to a header, in Envoy's
// external_processor.proto and base.proto.
const (
	requestHeaders = 2 // of ProcessingRequest
	headerMap      = 1 // of HttpHeaders
	headersEnd     = 3
	headerField    = 1 // of HeaderMap
	headerName     = 1 // of HeaderValue
	headerText     = 2
	headerBytes    = 3
)

// findHead reads the head in a ProcessingRequest. It finds none in what is not
// one, too. Protobuf would make four objects of each header.
func findHead(wire []byte) (found *head, ok bool) {
	outer, ok := find(wire, span{end: len(wire)}, requestHeaders)
	if !ok || outer.start == 0 {
		return nil, false
	}
	inner, ok := find(wire, outer, headerMap)
	last, lastOK := findFlag(wire, outer, headersEnd)
	found = &head{make([]header, 0, usualHeaders), last}
	return found, ok && lastOK && found.read(string(wire[inner.start:inner.end]), wire[inner.start:inner.end])
}

// read reads a HeaderMap, which is given twice, so that names and values are
// parts of one text.
func (h *head) read(text string, wire []byte) (ok bool) {
	for at := 0; at < len(wire); {
		number, kind, size := protowire.ConsumeField(wire[at:])
		if size < 0 {
			return false
		}
		if number == headerField && kind == protowire.BytesType {
			_, _, tag := protowire.ConsumeTag(wire[at:])
			_, length := protowire.ConsumeVarint(wire[at+tag:])
			one, ok := readHeader(text, wire, span{at + tag + length, at + size})
			if !ok {
				return false
			}
			h.headers = append(h.headers, one)
		}
		at += size
	}
	return true
}

func readHeader(text string, wire []byte, of span) (one header, ok bool) {
	name, nameOK := find(wire, of, headerName)
	value, valueOK := find(wire, of, headerText)
	raw, rawOK := find(wire, of, headerBytes)
	if raw.len() > 0 {
		value = raw
	}
	return header{text[name.start:name.end], text[value.start:value.end]}, nameOK && valueOK && rawOK
}

// without is a message less the fields of a number.
func without(wire []byte, number protowire.Number) (rest []byte) {
	for len(wire) > 0 {
		num, _, size := protowire.ConsumeField(wire)
		if size < 0 {
			return append(rest, wire...)
		}
		if num != number {
			rest = append(rest, wire[:size]...)
		}
		wire = wire[size:]
	}
	return rest
}
