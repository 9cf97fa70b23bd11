package prune

import (
	"bytes"

	"github.com/pointsman/pointsman/filter/conversation"
)

// calls are the tool calls so far, which the results to come answer: those of the
// latest model call for the most part, but what takes its time may come later.
type calls struct {
	made   []call
	latest int // the first call of the latest model call
	next   int // the call whose result is likely the next

	byID  map[string]int // of the first so many calls, the last with an id
	known int
}

type call struct{ id, name []byte }

// many is from how many calls of one model call on they are looked up in a map.
const many = 32

// begin is where a model call begins.
func (c *calls) begin() { c.latest, c.next = len(c.made), len(c.made) }

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

// find is the last call with an id, since some servers count them anew in every
// answer.
func (c *calls) find(id []byte) (at int, found bool) {
	if len(c.made)-c.latest <= many {
		for at = len(c.made) - 1; at >= c.latest; at-- {
			if bytes.Equal(c.made[at].id, id) {
				return at, true
			}
		}
	}
	if c.byID == nil {
		c.byID = make(map[string]int, len(c.made))
	}
	for ; c.known < len(c.made); c.known++ {
		c.byID[string(c.made[c.known].id)] = c.known
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
