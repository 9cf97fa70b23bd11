package conversation

import "strings"

// Responses, as OpenAI's API reference has it: `input`, a string or an array of
// items, and system text as `instructions` beside it. Messages are items, and so
// are tool calls, their outputs and sealed reasoning.

func (r *reader) responsesMember(name []byte) error {
	switch string(name) {
	case "input":
		return r.input()
	case "instructions":
		return r.systemText()
	case "tools":
		return r.tools()
	default:
		return r.parameter(name)
	}
}

func (r *reader) input() error {
	switch r.peek() {
	case '[':
		r.hasTurns = true
		return r.elements(r.item)
	case '"':
		r.hasTurns = true
		return r.loneTurn(User)
	case 'n':
		_, err := r.value()
		return err
	default:
		span, err := r.value()
		if err != nil {
			return err
		}
		return r.malformed(span.Start, "`input` must be a string or an array of items")
	}
}

// finishResponses notes what the provider holds of the conversation, and
// whether the answer is to be sealed.
func (r *reader) finishResponses() error {
	for _, path := range [...]string{"prompt.id", "conversation", "previous_response_id"} {
		if _, present := r.req.Parameter(path); present {
			name, _, _ := strings.Cut(path, ".")
			r.heldState(name)
		}
	}
	if !r.hasTurns && r.req.HeldState == "" {
		r.param = "input"
		return r.malformed(0, "`input` is missing: send a string or an array of items")
	}
	if truncation, _ := r.req.Parameter("truncation"); truncation == "auto" {
		r.req.AnyWindow = true
	}
	_, r.req.Pruned = r.req.Parameter("context_management")
	if r.lists("include", "", "reasoning.encrypted_content") || r.lists("context_management", "type", "compaction") {
		r.req.Needs |= Sealed
	}
	return nil
}

// heldState notes that the provider holds a part of the conversation, which the
// named parameter refers to.
func (r *reader) heldState(param string) {
	r.req.HeldState = param
	r.req.Needs |= State
	r.req.AnyWindow = true // what is held is not known here
}

// lists reports whether a parameter is an array with an element that has a value
// at a path.
func (r *reader) lists(param, path, wanted string) bool {
	found := false
	for _, p := range r.req.parameters {
		if string(p.name) != param || r.req.Body[p.value.Start] != '[' {
			continue
		}
		// The array has been read before, so there is no error left in it.
		_ = r.again(p.value, func() error {
			return r.array(func() error {
				element, err := r.value()
				value, present := lookUp(element.of(r.req.Body), path)
				found = found || present && string(value) == wanted
				return err
			})
		})
	}
	return found
}
