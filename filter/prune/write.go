package prune

import "github.com/pointsman/pointsman/filter/conversation"

// writer writes the edits of a plan.
type writer struct {
	req  *conversation.Request
	plan Plan
	text []byte // what the edits write, one after the other
}

// usualText is how many bytes an edit writes as a rule.
const usualText = 48

// grow makes room for the edits at once.
func (w *writer) grow(results []result) {
	edits := 0
	for i := range results {
		if results[i].pruned {
			edits += results[i].parts
		}
	}
	if edits > 0 {
		w.plan.Edits = make([]conversation.Edit, 0, edits)
		w.text = make([]byte, 0, edits*usualText)
	}
}

// write prunes one result.
func (w *writer) write(r *result) {
	blocks := w.req.Blocks(w.req.Turns[r.turn])[r.block:]
	whole := blocks[0]
	c := changes{req: w.req, result: r, whole: whole}
	for _, part := range blocks[1 : 1+whole.Parts] {
		made := c.next(part, w.text[len(w.text):])
		w.change(part, made)
	}
	if r.trim {
		w.plan.Trimmed++
	} else {
		w.plan.Replaced++
	}
}

func (w *writer) change(part conversation.Block, c change) {
	switch c.what {
	case keep:
	case retext:
		w.plan.Saved += c.saves
		w.edit(conversation.Span{Start: part.Text.Start + 1, End: part.Text.End - 1}, c.with)
	case cut:
		span, tokens := w.req.Inside(part.Text, c.from, c.to)
		w.plan.Saved += max(tokens-estimate(c.with), 0)
		w.edit(span, c.with)
	case reform:
		w.plan.Saved += c.saves
		w.edit(part.Span, w.textBlock(part, c.with))
		if part.Kind == conversation.Image {
			w.plan.Images++
		}
		if part.Kind == conversation.Document {
			w.plan.Documents++
		}
	}
}

func (w *writer) edit(span conversation.Span, with []byte) {
	// Where the room was enough, with stands in it already.
	if w.text = append(w.text, with...); len(with) > 0 {
		with = w.text[len(w.text)-len(with):]
	}
	w.plan.Edits = append(w.plan.Edits, conversation.Edit{Span: span, With: with})
}

// textBlock is a text block in the place of another one. Where the prompt cache
// was to end it still is.
func (w *writer) textBlock(part conversation.Block, text []byte) []byte {
	block := []byte(`{"type":"` + w.textType() + `","text":"`)
	block = append(append(block, text...), '"')
	if at := part.Marker; at.Len() > 0 {
		block = append(append(block, `,"cache_control":`...), w.req.Body[at.Start:at.End]...)
	}
	return append(block, '}')
}

// textType is what the API calls a text within a tool result.
func (w *writer) textType() string {
	if w.req.TurnsParam == "input" {
		return "input_text"
	}
	return "text"
}
