package prune

import "github.com/pointsman/pointsman/filter/conversation"

// endChars is how many characters of a trimmed result are kept at either end
// (R3).
const endChars = 1500

// bytesPerToken is what estimates reckon with for what is written in the place
// of results: it begins with a bracket, as JSON does.
const bytesPerToken = 3

func estimate(written []byte) int { return (len(written) + bytesPerToken - 1) / bytesPerToken }

// change is what becomes of one part of a result.
type change struct {
	what action
	with []byte // what is written: the inside of a JSON string
	// saves is how many tokens less that is; of a cut, as if the text were alike
	// everywhere.
	saves int
	// from and to are the first character that is trimmed and the first that is
	// not any more.
	from, to int
}

// action is what is done to a part.
type action uint8

const (
	keep   action = iota
	retext        // the text becomes another one
	cut           // characters from the middle of the text become a marker
	reform        // what is no text becomes a text that says so
)

// changes goes through the parts of a result and works out what becomes of each.
type changes struct {
	req    *conversation.Request
	result *result
	whole  conversation.Block
	at     int  // characters of the parts before
	named  bool // the placeholder that names the tool has been written
}

// saves is how many tokens pruning a result saves; 0 where it is left as it is.
func saves(req *conversation.Request, blocks []conversation.Block, r *result) int {
	total := 0
	var scratch [256]byte
	c := changes{req: req, result: r, whole: blocks[0]}
	for _, part := range blocks[1:] {
		if part.Kind == conversation.Reference {
			return 0 // what loads a tool is needed as long as the tool is
		}
		total += c.next(part, scratch[:0]).saves
	}
	return total
}

// next is what becomes of the next part. It appends what is written to dst.
func (c *changes) next(part conversation.Block, dst []byte) change {
	at := c.at
	c.at += part.Chars
	switch {
	case part.Kind != conversation.Text:
		return c.reform(part, dst)
	case part.Text.Len() == 0:
		return change{}
	case c.result.trim:
		return c.trim(part, at, dst)
	default:
		return c.replace(part, dst)
	}
}

// reform turns what is no text into a text block (R5, R11). Whether it does is not
// up to the marker that the block may have, which moves from turn to turn.
func (c *changes) reform(part conversation.Block, dst []byte) change {
	dst = append(dst, replacedKind(part.Kind)...)
	return worthwhile(change{what: reform, with: dst}, part.Tokens, c.req.Unmarked(part)-len(`{"type":"input_text","text":""}`))
}

func (c *changes) replace(part conversation.Block, dst []byte) change {
	if c.named {
		dst = append(dst, replacedText...)
	} else {
		dst = placeholder(dst, c.result.tool, c.whole.Chars)
	}
	made := worthwhile(change{what: retext, with: dst}, part.Tokens, part.Text.Len()-len(`""`))
	c.named = c.named || made.what == retext
	return made
}

// trim cuts, of a part, the characters that are in neither end of the result.
func (c *changes) trim(part conversation.Block, at int, dst []byte) change {
	from := max(endChars-at, 0)
	to := min(c.whole.Chars-endChars-at, part.Chars)
	if from >= to {
		return change{}
	}
	tokens := part.Tokens * (to - from) / part.Chars
	return worthwhile(change{what: cut, with: marker(dst, to-from), from: from, to: to}, tokens, to-from)
}

// worthwhile is a change that makes the body shorter and the prompt as well, or
// none (R3). What it replaces is so many tokens, and at least so many bytes.
func worthwhile(c change, tokens, size int) change {
	c.saves = tokens - estimate(c.with)
	if c.saves <= 0 || len(c.with) >= size {
		return change{}
	}
	return c
}
