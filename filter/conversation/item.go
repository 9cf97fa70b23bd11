package conversation

import "bytes"

// item is an item of Responses being read that says by its `type` what it is;
// its members come in any order.
type item struct {
	turn    Turn
	kind    []byte // message where there is none
	hasRole bool
	id      Span
	callID  Span
	name    Span
	sealed  Span
	other   int // tokens of a message's further members
	// content holds what a message says, and output what a call came to. They
	// are read when it is known that they are that.
	content, output struct{ pending, read Span }
}

func (r *reader) item() error {
	it := item{turn: r.openTurn(r.valueStart())}
	err := r.object("an item", func(name []byte) error { return r.itemMember(&it, name) })
	if err != nil {
		return err
	}
	if err := r.closeItem(&it, Span{it.turn.Span.Start, r.offset()}); err != nil {
		return err
	}
	r.closeTurn(it.turn)
	return nil
}

func (r *reader) itemMember(it *item, name []byte) (err error) {
	switch string(name) {
	case "type":
		var span Span
		if span, err = r.stringValue(); span.Len() > 0 {
			it.kind = decode(span.of(r.req.Body))
		}
	case "role":
		it.hasRole = true
		it.turn.Role, err = r.role()
	case "content":
		err = r.itemContent(it)
	case "output":
		err = r.itemOutput(it)
	case "id":
		it.id, err = r.stringValue()
	case "call_id":
		it.callID, err = r.stringValue()
	case "name":
		it.name, err = r.stringValue()
	case "encrypted_content":
		it.sealed, err = r.stringValue()
	case "status", "phase": // nothing that a model reads
		_, err = r.value()
	default:
		var other Span
		other, err = r.value()
		it.other += estimateJSON(other.of(r.req.Body))
	}
	return err
}

func (r *reader) itemContent(it *item) (err error) {
	if string(it.kind) == "message" {
		it.content.read, err = r.content()
	} else {
		it.content.pending, err = r.value()
	}
	return err
}

func (r *reader) itemOutput(it *item) (err error) {
	if isOutput(it.kind) {
		return r.within(func() (err error) {
			it.output.read, err = r.content()
			return err
		})
	}
	it.output.pending, err = r.value()
	return err
}

// isOutput reports whether a kind of item is what a tool of the client's own
// came to. The outputs of the provider's tools are structured in their own ways
// and are carried.
func isOutput(kind []byte) bool {
	return string(kind) == "function_call_output" || string(kind) == "custom_tool_call_output"
}

// closeItem settles what an item is once all of it is known.
func (r *reader) closeItem(it *item, span Span) error {
	switch kind := string(it.kind); {
	case kind == "message", kind == "" && (it.hasRole || it.content.pending.Len() > 0):
		return r.closeMessage(it)
	case kind == "item_reference", kind == "" && it.id.Len() > 0:
		r.heldState("input")
		it.turn.Role = OtherRole
	case kind == "function_call", kind == "custom_tool_call":
		it.turn.Role = Assistant
		r.add(Block{Kind: ToolCall, Span: span, ID: it.callID, Name: it.name, Tokens: estimateJSON(span.of(r.req.Body))})
		return nil
	case isOutput(it.kind):
		return r.closeOutput(it)
	default:
		it.turn.Role = roleOfItem(it.kind)
	}
	r.add(Block{Span: span, Tokens: r.estimateItem(it, span)})
	return nil
}

func (r *reader) closeMessage(it *item) error {
	it.turn.Tokens += it.other
	if it.content.pending.Len() == 0 {
		return nil
	}
	it.kind = []byte("message")
	return r.again(it.content.pending, func() error { return r.itemContent(it) })
}

func (r *reader) closeOutput(it *item) error {
	it.turn.Role = Tool
	if it.output.pending.Len() > 0 {
		err := r.again(it.output.pending, func() error { return r.itemOutput(it) })
		if err != nil {
			return err
		}
	}
	first := it.turn.first
	r.insertResult(first, len(r.req.blocks)-first, Block{Span: it.output.read, ID: it.callID})
	return nil
}

// roleOfItem is who speaks in an item that is carried.
func roleOfItem(kind []byte) Role {
	switch {
	case string(kind) == "reasoning", bytes.HasSuffix(kind, []byte("_call")):
		return Assistant
	case bytes.HasSuffix(kind, []byte("_output")):
		return Tool
	default:
		return OtherRole
	}
}

// estimateItem estimates an item that is carried and notes what it asks of a
// model.
func (r *reader) estimateItem(it *item, span Span) int {
	switch string(it.kind) {
	case "computer_call_output": // a screenshot
		r.needs(Vision)
		return imageTokens
	case "image_generation_call": // a picture, in base64
		return imageTokens
	case "compaction_trigger": // asks for what has been said to be sealed
		r.req.Needs |= Sealed
	}
	return r.estimateOther(span, it.sealed, Span{})
}
