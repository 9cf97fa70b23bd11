package conversation

import "bytes"

// marker is the name of the member by which a client marks where the provider's
// prompt cache is to end. It moves from turn to turn.
const marker = "cache_control"

// marked is the length of a marker among the members of an object: its name and
// value, and the comma that sets it off. What an object is estimated at does not
// depend on it, so neither does what is pruned.
func marked(body []byte, value Span) int {
	if value.Len() == 0 {
		return 0
	}
	before := bytes.TrimRight(body[:value.Start], " \t\r\n:")
	before = bytes.TrimRight(before[:len(before)-len(`""`)-len(marker)], " \t\r\n")
	length := value.End - len(before)
	if bytes.HasSuffix(before, []byte{','}) {
		return length + 1
	}
	if after := bytes.TrimLeft(body[value.End:], " \t\r\n"); after[0] == ',' {
		return length + 1
	}
	return length
}
