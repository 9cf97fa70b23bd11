package conversation

import "bytes"

// Messages, as Anthropic's API reference has it: `messages` of the user and the
// assistant in turn, system text beside them, and tool results as blocks of user
// messages.

func (r *reader) messagesMember(name []byte) error {
	switch string(name) {
	case "messages":
		return r.messages()
	case "system":
		return r.systemText()
	case "tools":
		return r.tools()
	default:
		return r.parameter(name)
	}
}

func (r *reader) finishMessages() error {
	switch thinking, _ := r.req.Parameter("thinking.type"); thinking {
	case "enabled", "adaptive": // thinking comes signed
		r.req.Needs |= Sealed
	}
	edits, _ := r.req.Parameter("context_management.edits")
	r.req.Pruned = editsResults([]byte(edits))
	return r.needMessages()
}

// editsResults reports whether a list of edits that the provider is asked for
// changes more than thinking: it clears tool results, or compacts. An edit of a
// kind that is not known here may.
func editsResults(edits []byte) bool {
	if len(edits) == 0 || edits[0] != '[' {
		return false
	}
	s := scanner{text: edits}
	s.open('[')
	for first := true; ; first = false {
		if more, _ := s.more(first, ']'); !more {
			return false
		}
		kind, _ := lookUp(s.next(), "type")
		if !bytes.HasPrefix(kind, []byte("clear_thinking")) {
			return true
		}
	}
}
