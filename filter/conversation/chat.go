package conversation

import "slices"

// Chat Completions, as OpenAI's API reference has it: `messages`, each with a
// role, content as a string or as blocks, and tool calls.

// chatMember reads the value of one top-level parameter.
func (r *reader) chatMember(name []byte) error {
	switch string(name) {
	case "messages":
		return r.chatMessages()
	case "tools", "functions":
		return r.tools()
	default:
		return r.parameter(name)
	}
}

// parameter reads a parameter that all APIs have in much the same form.
func (r *reader) parameter(name []byte) error {
	kind := r.dec.PeekKind()
	span, err := r.value()
	if err != nil {
		return err
	}
	switch string(name) {
	case "model":
		r.req.model = span
		if kind == '"' {
			r.req.Model, r.req.HasModel = string(decode(span.of(r.req.Body))), true
		}
	case "stream":
		r.req.Stream = kind == 't'
	}
	return nil
}

// tools counts the tools that are offered and estimates their definitions.
func (r *reader) tools() error {
	if r.dec.PeekKind() != '[' {
		_, err := r.value()
		return err
	}
	return r.array(func() error {
		span, err := r.value()
		r.req.ToolCount++
		r.req.Tokens += estimateJSON(span.of(r.req.Body))
		return err
	})
}

// finishChat draws together what several parameters say, whatever their order.
func (r *reader) finishChat() error {
	req := r.req
	if !r.hasMessages {
		r.param = "messages"
		return r.malformed(0, "`messages` is missing: send an array of messages")
	}
	if req.ToolCount > 0 {
		req.Needs |= Tools
	}
	if format, _ := req.Parameter("response_format.type"); format == "json_schema" {
		req.Needs |= JSONSchema
		schema, _ := req.Parameter("response_format")
		req.Tokens += estimateJSON([]byte(schema))
	}
	limit, named := req.Parameter("max_completion_tokens")
	if !named {
		limit, _ = req.Parameter("max_tokens") // its older name
	}
	req.RequestedOutput = tokenLimit(limit)
	for i := range req.Turns {
		req.Tokens += req.Turns[i].Tokens
	}
	return nil
}

func (r *reader) chatMessages() error {
	if r.dec.PeekKind() != '[' {
		span, err := r.value()
		if err != nil {
			return err
		}
		return r.malformed(span.Start, "`messages` must be an array of messages")
	}
	r.hasMessages = true
	return r.array(r.chatMessage)
}

func (r *reader) chatMessage() error {
	if r.dec.PeekKind() != '{' {
		span, err := r.value()
		if err != nil {
			return err
		}
		return r.malformed(span.Start, "messages[%d] must be an object", len(r.req.Turns))
	}
	m := chatMessage{turn: Turn{first: len(r.req.blocks), Tokens: tokensPerTurn}}
	m.parts.first = m.turn.first
	m.turn.Span.Start = r.valueStart()
	err := r.object("a message", func(name []byte) error { return r.chatMessageMember(&m, name) })
	if err != nil {
		return err
	}
	m.turn.Span.End = r.offset()
	m.turn.count = len(r.req.blocks) - m.turn.first
	if m.turn.Role == Tool {
		r.wrapResult(&m)
	}
	for _, block := range r.req.Blocks(m.turn) {
		if block.Kind != ToolResult { // its parts are counted
			m.turn.Tokens += block.Tokens
		}
	}
	m.turn.speaks = r.req.speaks(m.turn)
	r.req.Turns = append(r.req.Turns, m.turn)
	return nil
}

// chatMessage is a message being read; its members come in any order.
type chatMessage struct {
	turn    Turn
	content Span
	parts   struct{ first, count int } // the blocks of its content
	callID  Span
}

func (r *reader) chatMessageMember(m *chatMessage, name []byte) (err error) {
	switch string(name) {
	case "role":
		var role Span
		if role, err = r.stringValue(); role.Len() > 0 {
			m.turn.Role = chatRole(decode(role.of(r.req.Body)))
		}
	case "content":
		m.parts.first = len(r.req.blocks)
		m.content, err = r.content()
		m.parts.count = len(r.req.blocks) - m.parts.first
	case "tool_call_id":
		m.callID, err = r.stringValue()
	case "tool_calls":
		err = r.chatToolCalls()
	case "function_call": // its older form: one call, without an id
		err = r.chatToolCall("function_call")
	default:
		var other Span
		other, err = r.value()
		m.turn.Tokens += estimateJSON(other.of(r.req.Body))
	}
	return err
}

// wrapResult puts a tool result in front of the blocks that are its parts.
func (r *reader) wrapResult(m *chatMessage) {
	first, last := m.parts.first, m.parts.first+m.parts.count
	result := Block{Kind: ToolResult, Span: m.content, ID: m.callID, Parts: m.parts.count}
	for _, part := range r.req.blocks[first:last] {
		result.Tokens += part.Tokens
	}
	r.req.blocks = slices.Insert(r.req.blocks, first, result)
	m.turn.count++
}

func (r *reader) chatToolCalls() error {
	if r.dec.PeekKind() != '[' {
		_, err := r.value()
		return err
	}
	return r.array(func() error { return r.chatToolCall("a tool call") })
}

// chatToolCall reads a call. Its id stands beside the function's object, its
// name inside; in the older form there is only the inside.
func (r *reader) chatToolCall(what string) error {
	if r.dec.PeekKind() != '{' {
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
		default:
			_, err = r.value()
		}
		return err
	})
	if err != nil {
		return err
	}
	call.Span.End = r.offset()
	call.Tokens = estimateJSON(call.Span.of(r.req.Body))
	r.add(call)
	return nil
}

// chatCalled reads what a call calls and notes where its name stands.
func (r *reader) chatCalled(called *Span) error {
	if r.dec.PeekKind() != '{' {
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

func chatRole(name []byte) Role {
	switch string(name) {
	case "system", "developer":
		return System
	case "user":
		return User
	case "assistant":
		return Assistant
	case "tool", "function":
		return Tool
	default:
		return OtherRole
	}
}
