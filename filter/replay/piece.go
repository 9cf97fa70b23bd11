package replay

import (
	"bytes"

	"github.com/pointsman/pointsman/filter/conversation"
)

// piece is one message, or item, as it was recorded or as it was sent.
type piece struct {
	raw     []byte
	results []result // the tool results in it, in order
	words   []word   // of all of it, among those that are mentioned later
}

// result is one tool result of a piece.
type result struct {
	id      string // of the call that it answers
	content span   // in raw; empty where it has none
	words   []word // of the content
}

func (p *piece) content(i int) []byte { return p.results[i].content.of(p.raw) }

// same reports whether two pieces are the same bytes.
func (p *piece) same(other *piece) bool { return p == other || bytes.Equal(p.raw, other.raw) }

// takeApart finds the tool results of a piece.
func takeApart(api conversation.API, raw []byte) (*piece, error) {
	p := &piece{raw: raw}
	top, err := outlineOf(raw)
	if err != nil {
		return nil, err
	}
	switch api {
	case conversation.OpenAIResponses:
		if top.kind == "function_call_output" || top.kind == "custom_tool_call_output" {
			p.results = []result{{id: top.callID, content: top.output}}
		}
	case conversation.AnthropicMessages:
		return p, p.takeBlocks(top.content)
	default:
		if top.role == "tool" || top.role == "function" {
			p.results = []result{{id: top.callID, content: top.content}}
		}
	}
	return p, nil
}

// takeBlocks finds the results among the blocks of a message's content.
func (p *piece) takeBlocks(content span) error {
	if content == (span{}) {
		return nil
	}
	return eachElement(content.of(p.raw), func(at span) error {
		at = at.plus(content.start)
		block, err := outlineOf(at.of(p.raw))
		if err == nil && block.kind == "tool_result" {
			held := block.content
			if held != (span{}) {
				held = held.plus(at.start)
			}
			p.results = append(p.results, result{id: block.callID, content: held})
		}
		return err
	})
}

// outline is what there is to know of a message, an item or a block.
type outline struct {
	role, kind, callID string
	content, output    span
	calls              bool // it has tool_calls
}

func outlineOf(object []byte) (outline, error) {
	var o outline
	err := eachMember(object, func(name string, at span) error {
		switch value := at.of(object); name {
		case "role":
			o.role = text(value)
		case "type":
			o.kind = text(value)
		case "tool_call_id", "tool_use_id", "call_id":
			o.callID = text(value)
		case "content":
			o.content = at
		case "output":
			o.output = at
		case "tool_calls":
			o.calls = true
		}
		return nil
	})
	return o, err
}

// sameFrame reports whether two pieces differ in nothing but what their tool
// results hold, and hold it in the same form: a string or an array (R11).
func sameFrame(a, b *piece) bool {
	if len(a.results) != len(b.results) {
		return false
	}
	doneA, doneB := 0, 0
	for i := range a.results {
		atA, atB := a.results[i].content, b.results[i].content
		if atA == (span{}) && atB == (span{}) {
			continue
		}
		if !bytes.Equal(a.raw[doneA:max(doneA, atA.start)], b.raw[doneB:max(doneB, atB.start)]) || form(a.content(i)) != form(b.content(i)) {
			return false
		}
		doneA, doneB = atA.end, atB.end
	}
	return bytes.Equal(a.raw[doneA:], b.raw[doneB:])
}

// form is the byte that a value begins with, which tells strings from arrays.
func form(value []byte) byte {
	if len(value) == 0 {
		return 0
	}
	return value[0]
}
