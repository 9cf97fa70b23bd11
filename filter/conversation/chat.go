package conversation

// Chat Completions, as OpenAI's API reference has it: `messages`, each with a
// role, content as a string or as blocks, and tool calls.

func (r *reader) chatMember(name []byte) error {
	switch string(name) {
	case "messages":
		return r.messages()
	case "tools", "functions":
		return r.tools()
	default:
		return r.parameter(name)
	}
}

func (r *reader) chatToolCalls() error {
	if r.peek() != '[' {
		_, err := r.value()
		return err
	}
	return r.array(func() error { return r.chatToolCall("a tool call") })
}

// chatToolCall reads a call. Its id stands beside the function's object, its
// name inside; in the older form there is only the inside.
func (r *reader) chatToolCall(what string) error {
	if r.peek() != '{' {
		_, err := r.value()
		return err
	}
	call := Block{Kind: ToolCall, Span: Span{Start: r.valueStart()}}
	err := r.object(what, func(name []byte) (err error) {
		switch string(name) {
		case "id":
			err = r.noteString(&call.ID)
		case "name":
			err = r.noteString(&call.Name)
		case "function", "custom":
			err = r.chatCalled(&call.Name)
		case marker:
			call.Marker, err = r.value()
		default:
			_, err = r.value()
		}
		return err
	})
	if err != nil {
		return err
	}
	call.Span.End = r.offset()
	call.Tokens = estimateWithout(call.Span.of(r.req.Body), marked(r.req.Body, call.Marker))
	r.add(call)
	return nil
}

// chatCalled reads what a call calls and notes where its name stands.
func (r *reader) chatCalled(called *Span) error {
	if r.peek() != '{' {
		_, err := r.value()
		return err
	}
	return r.object("a called function", func(name []byte) error {
		if string(name) == "name" {
			return r.noteString(called)
		}
		_, err := r.value()
		return err
	})
}
