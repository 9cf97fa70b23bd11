package conversation

import "bytes"

// marker is the name of the member by which a client marks where the provider's
// prompt cache is to end. It moves from turn to turn.
const marker = "cache_control"

// Unmarked is the length that a block has without its marker.
func (r *Request) Unmarked(b Block) int { return b.Span.Len() - marked(r.Body, b.Marker) }

const blank = " \t\r\n"

// marked is the length of a marker among the members of an object: its name and
// value, the comma that sets it off, and the white space that would not be there
// without it. What an object is estimated at does not depend on a marker, so
// neither does what is pruned.
func marked(body []byte, value Span) int {
	if value.Len() == 0 {
		return 0
	}
	name := bytes.LastIndexByte(body[:value.Start], '"') // its closing quote
	name = bytes.LastIndexByte(body[:name], '"')
	if before := bytes.TrimRight(body[:name], blank); before[len(before)-1] == ',' {
		return value.End - (len(before) - 1)
	}
	after := bytes.TrimLeft(body[value.End:], blank)
	if after[0] == ',' {
		after = bytes.TrimLeft(after[1:], blank)
	}
	return len(body) - len(after) - name
}
