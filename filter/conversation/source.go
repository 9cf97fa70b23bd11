package conversation

// source is where the media of a block come from, in Messages: base64, text or
// further blocks inside of it, or a URL or file that it names.
type source struct {
	kind    []byte
	data    Span
	content Span
}

func (r *reader) readSource() (s source, err error) {
	if r.peek() != '{' {
		_, err = r.value()
		return s, err
	}
	err = r.object("a source", func(name []byte) (err error) {
		switch string(name) {
		case "type":
			var span Span
			if span, err = r.stringValue(); span.Len() > 0 {
				s.kind = decode(span.of(r.req.Body))
			}
		case "data":
			s.data, err = r.stringValue()
		case "content":
			s.content, err = r.value()
		default:
			_, err = r.value()
		}
		return err
	})
	return s, err
}

// estimateDocument estimates a document by what it holds.
func (r *reader) estimateDocument(b *objectBlock) (tokens int, err error) {
	body := r.req.Body
	switch {
	case string(b.source.kind) == "text" && b.source.data.Len() > 0:
		return r.estimateText(b.source.data), nil
	case string(b.source.kind) == "content" && b.source.content.Len() > 0 && r.depth < maxWithin:
		return r.estimateContent(b.source.content)
	}
	named, _ := lookUp(b.file.of(body), "file_data")
	size := max(len(named), b.fileData.Len(), b.source.data.Len())
	return estimateMedia(size, documentTokens, base64PerDocumentToken), nil
}

// estimateContent estimates blocks inside of a block, which are no blocks of the
// turn, and notes what they ask of a model.
func (r *reader) estimateContent(value Span) (tokens int, err error) {
	first := len(r.req.blocks)
	err = r.within(func() error {
		return r.again(value, func() error {
			_, failed := r.content()
			return failed
		})
	})
	for _, block := range r.req.blocks[first:] {
		tokens += block.Tokens
	}
	r.req.blocks = r.req.blocks[:first]
	return tokens, err
}
