package conversation

import (
	"iter"
)

// HumanTurn is the text of the latest human turn: the newest user message that
// has text of its own. Tool results are none, and neither are blocks that
// clients put in by themselves; when the request ends in tool results it is
// still the human's request that is being worked on (R1). Empty where there is
// none.
func (r *Request) HumanTurn() Excerpt {
	if at := r.latestHuman(); at >= 0 {
		return r.excerpt(r.Turns[at])
	}
	return Excerpt{}
}

// PriorTurn is the text that the latest human turn follows: the nearest earlier
// human or assistant text, never tool output (R1) and never system text (R2).
// Texts for which skip is true, such as mere acknowledgements, are passed over.
// Empty where there is none.
func (r *Request) PriorTurn(skip func(text string) bool) Excerpt {
	for at := r.latestHuman() - 1; at >= 0; at-- {
		if role := r.Turns[at].Role; role != User && role != Assistant || !r.Turns[at].speaks {
			continue
		}
		if prior := r.excerpt(r.Turns[at]); !skip(prior.Text) {
			return prior
		}
	}
	return Excerpt{}
}

// FirstHuman is the text of the first human turn, which stays the same as a
// conversation grows. Empty where there is none.
func (r *Request) FirstHuman() Excerpt {
	for at := range r.Turns {
		if r.Turns[at].Human() {
			return r.excerpt(r.Turns[at])
		}
	}
	return Excerpt{}
}

// HumanTurns counts the human turns.
func (r *Request) HumanTurns() int {
	count := 0
	for at := range r.Turns {
		if r.Turns[at].Human() {
			count++
		}
	}
	return count
}

func (r *Request) latestHuman() int {
	at := len(r.Turns) - 1
	for at >= 0 && !r.Turns[at].Human() {
		at--
	}
	return at
}

// speaks is the one check for whether a turn has text of its own (R14).
func (r *Request) speaks(t Turn) bool {
	for piece := range r.ownText(t) {
		if !isBlank(piece) {
			return true
		}
	}
	return false
}

// isBlank reports whether the inside of a JSON string shows nothing. It is the
// one check for emptiness (R14); classify trims by the same characters.
func isBlank(inner []byte) bool {
	for len(inner) > 0 {
		char, size := nextChar(inner)
		if !Invisible(char) {
			return false
		}
		inner = inner[size:]
	}
	return true
}

// ownText goes through the insides of the JSON strings that hold a turn's own
// text: text blocks that are no parts of a tool result, without what clients
// put in by themselves.
func (r *Request) ownText(t Turn) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		blocks := r.Blocks(t)
		for i := 0; i < len(blocks); i++ {
			block := &blocks[i]
			if block.Kind == ToolResult {
				i += block.Parts
				continue
			}
			if block.Kind != Text || block.Text.Len() == 0 {
				continue
			}
			inner := Span{block.Text.Start + 1, block.Text.End - 1}.of(r.Body)
			if !withoutInjected(inner, yield) {
				return
			}
		}
	}
}
