package conversation

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
	return r.needMessages()
}
