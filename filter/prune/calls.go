package prune

import (
	"bytes"

	"github.com/pointsman/pointsman/filter/conversation"
)

// calls are the tool calls that the results to come answer.
type calls struct {
	made []call
	next int            // the call whose result is likely the next
	byID map[string]int // where there are many
}

type call struct{ id, name []byte }

// many is from how many calls on they are looked up in a map.
const many = 32

func (c *calls) forget() { c.made, c.next, c.byID = c.made[:0], 0, nil }

// note takes in the calls of a turn.
func (c *calls) note(req *conversation.Request, turn conversation.Turn) {
	for _, block := range req.Blocks(turn) {
		if block.Kind == conversation.ToolCall {
			c.made = append(c.made, call{id: inner(req, block.ID), name: inner(req, block.Name)})
		}
	}
}

// of is the name of the tool that a result is of; empty where no call has the
// result's id.
func (c *calls) of(req *conversation.Request, id conversation.Span) []byte {
	wanted := inner(req, id)
	if c.next < len(c.made) && bytes.Equal(c.made[c.next].id, wanted) {
		c.next++
		return c.made[c.next-1].name
	}
	at, found := c.find(wanted)
	if !found {
		return nil
	}
	c.next = at + 1
	return c.made[at].name
}

func (c *calls) find(id []byte) (at int, found bool) {
	if len(c.made) <= many {
		for at := range c.made {
			if bytes.Equal(c.made[at].id, id) {
				return at, true
			}
		}
		return 0, false
	}
	if c.byID == nil {
		c.byID = make(map[string]int, len(c.made))
		for at := range c.made {
			c.byID[string(c.made[at].id)] = at
		}
	}
	at, found = c.byID[string(id)]
	return at, found
}

// inner is what stands between the quotes of a string.
func inner(req *conversation.Request, literal conversation.Span) []byte {
	if literal.Len() == 0 {
		return nil
	}
	return req.Body[literal.Start+1 : literal.End-1]
}
