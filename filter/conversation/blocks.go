package conversation

// content reads a message's content, a string or an array of blocks, and says
// where it stands.
func (r *reader) content() (Span, error) {
	start := r.valueStart()
	var err error
	switch r.dec.PeekKind() {
	case '[':
		err = r.array(r.contentBlock)
	case 'n':
		_, err = r.value()
	default:
		err = r.contentBlock()
	}
	return Span{start, r.offset()}, err
}

// contentBlock reads one block. A bare string is text; whatever is no object
// either is carried as unknown.
func (r *reader) contentBlock() error {
	switch r.dec.PeekKind() {
	case '"':
		span, err := r.value()
		if err != nil {
			return err
		}
		r.add(Block{Kind: Text, Span: span, Text: span, Tokens: estimateText(span.of(r.req.Body))})
		return nil
	case '{':
		return r.objectBlock()
	default:
		span, err := r.value()
		r.add(Block{Span: span, Tokens: estimateJSON(span.of(r.req.Body))})
		return err
	}
}

// objectBlock reads a block that says by its `type` what it is.
func (r *reader) objectBlock() error {
	start := r.valueStart()
	var kind, text, media Span
	err := r.object("a content block", func(name []byte) (err error) {
		switch string(name) {
		case "type":
			kind, err = r.stringValue()
		case "text", "refusal":
			text, err = r.stringValue()
		case "image_url", "file", "input_audio":
			media, err = r.value()
		default:
			_, err = r.value()
		}
		return err
	})
	if err != nil {
		return err
	}
	block := Block{Span: Span{start, r.offset()}}
	if kind.Len() > 0 {
		block.Kind = blockKind(decode(kind.of(r.req.Body)))
	}
	r.estimateBlock(&block, text, media)
	r.add(block)
	return nil
}

func blockKind(name []byte) Kind {
	switch string(name) {
	case "text", "refusal":
		return Text
	case "image_url":
		return Image
	case "file":
		return Document
	case "input_audio":
		return Audio
	default:
		return OtherBlock
	}
}

// estimateBlock estimates a block and notes what it asks of a model.
func (r *reader) estimateBlock(block *Block, text, media Span) {
	body := r.req.Body
	switch block.Kind {
	case Text:
		block.Text = text
		if text.Len() > 0 {
			block.Tokens = estimateText(text.of(body))
		}
	case Image:
		r.req.Needs |= Vision
		block.Tokens = imageTokens
	case Document:
		r.req.Needs |= Documents
		block.Tokens = estimateMedia(media.of(body), "file_data", documentTokens, base64PerDocumentToken)
	case Audio:
		block.Tokens = estimateMedia(media.of(body), "data", audioTokens, base64PerAudioToken)
	default:
		block.Tokens = estimateJSON(block.Span.of(body))
	}
}

// estimateMedia estimates by the size of inline data; without any, or where
// that is less, it is the flat figure.
func estimateMedia(media []byte, key string, flat, base64PerToken int) int {
	data, _ := lookUp(media, key)
	return max(flat, perToken(len(data), base64PerToken))
}

func (r *reader) add(block Block) { r.req.blocks = append(r.req.blocks, block) }
