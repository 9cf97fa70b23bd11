package conversation

import "slices"

// messages reads the conversation of Chat Completions and of Messages: an array
// of messages, each with a role, and content as a string or as blocks.
func (r *reader) messages() error {
	if r.peek() != '[' {
		span, err := r.value()
		if err != nil {
			return err
		}
		return r.malformed(span.Start, "`messages` must be an array of messages")
	}
	r.hasTurns = true
	return r.elements(r.message)
}

func (r *reader) needMessages() error {
	if r.hasTurns {
		return nil
	}
	r.param = "messages"
	return r.malformed(0, "`messages` is missing: send an array of messages")
}

// message is a message being read; its members come in any order.
type message struct {
	turn    Turn
	content Span
	parts   struct{ first, count int } // the blocks of its content
	callID  Span
}

func (r *reader) message() error {
	m := message{turn: r.openTurn(r.valueStart())}
	m.parts.first = m.turn.first
	err := r.object("a message", func(name []byte) error { return r.messageMember(&m, name) })
	if err != nil {
		return err
	}
	if m.turn.Role == Tool && !holdResults(r.req.blocks[m.parts.first:][:m.parts.count]) {
		r.insertResult(m.parts.first, m.parts.count, Block{Span: m.content, ID: m.callID})
	}
	r.closeTurn(m.turn)
	return nil
}

func (r *reader) messageMember(m *message, name []byte) (err error) {
	switch string(name) {
	case "role":
		m.turn.Role, err = r.role()
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
	case marker:
		_, err = r.value()
	default:
		var other Span
		other, err = r.value()
		m.turn.Tokens += estimateJSON(other.of(r.req.Body))
	}
	return err
}

// systemText reads system text that stands beside the conversation, as a string
// or as blocks. It is the first turn.
func (r *reader) systemText() error {
	if r.peek() == 'n' {
		_, err := r.value()
		return err
	}
	if err := r.loneTurn(System); err != nil {
		return err
	}
	last := len(r.req.Turns) - 1
	system := r.req.Turns[last]
	r.req.Turns = slices.Insert(r.req.Turns[:last], 0, system)
	return nil
}

// loneTurn reads content that is a turn by itself.
func (r *reader) loneTurn(role Role) error {
	turn := r.openTurn(r.valueStart())
	turn.Role = role
	if _, err := r.content(); err != nil {
		return err
	}
	r.closeTurn(turn)
	return nil
}

// openTurn begins a turn at an offset. The blocks that are added from here on
// are its own.
func (r *reader) openTurn(start int) Turn {
	r.signed = false
	return Turn{Span: Span{Start: start}, Tokens: tokensPerTurn, first: len(r.req.blocks)}
}

// closeTurn ends a turn at the reader's offset and adds it.
func (r *reader) closeTurn(turn Turn) {
	turn.Span.End = r.offset()
	turn.count = len(r.req.blocks) - turn.first
	blocks := r.req.Blocks(turn)
	for _, block := range blocks {
		if block.Kind == ToolResult { // its parts are counted
			turn.Results++
			continue
		}
		if block.Kind == ToolCall {
			turn.Calls++
		}
		turn.Tokens += block.Tokens
	}
	turn.Signed = r.signed
	if turn.Role == User && areResults(blocks) {
		turn.Role = Tool
	}
	turn.speaks = r.req.speaks(turn)
	r.req.Turns = append(r.req.Turns, turn)
}

// areResults reports whether blocks are tool results and nothing else.
func areResults(blocks []Block) bool {
	for at := 0; at < len(blocks); at += 1 + blocks[at].Parts {
		if blocks[at].Kind != ToolResult {
			return false
		}
	}
	return len(blocks) > 0
}

// holdResults reports whether there are tool results among blocks. A message that
// holds some is none itself, whatever its role.
func holdResults(blocks []Block) bool {
	return slices.ContainsFunc(blocks, func(b Block) bool { return b.Kind == ToolResult })
}

// insertResult puts a tool result in front of the blocks that are its parts.
func (r *reader) insertResult(first, count int, result Block) {
	result.Kind, result.Parts = ToolResult, count
	for _, part := range r.req.blocks[first : first+count] {
		result.Tokens += part.Tokens
		result.Chars += part.Chars
	}
	r.req.blocks = slices.Insert(r.req.blocks, first, result)
}

func (r *reader) role() (Role, error) {
	span, err := r.stringValue()
	if err != nil || span.Len() == 0 {
		return OtherRole, err
	}
	switch string(decode(span.of(r.req.Body))) {
	case "system", "developer":
		return System, nil
	case "user":
		return User, nil
	case "assistant":
		return Assistant, nil
	case "tool", "function":
		return Tool, nil
	default:
		return OtherRole, nil
	}
}
