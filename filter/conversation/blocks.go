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

// objectBlock reads a block that says by its `type` what it is. What it holds
// stands in the member of that name; others may be there, null or not.
func (r *reader) objectBlock() error {
	start := r.valueStart()
	var kind Span
	var members blockMembers
	err := r.object("a content block", func(name []byte) (err error) {
		if string(name) == "type" {
			kind, err = r.stringValue()
			return err
		}
		value, err := r.value()
		if member := members.named(name); member != nil {
			*member = value
		}
		return err
	})
	if err != nil {
		return err
	}
	block := Block{Span: Span{start, r.offset()}}
	var held Span
	if kind.Len() > 0 {
		name := decode(kind.of(r.req.Body))
		block.Kind = blockKind(name)
		if member := members.named(name); member != nil {
			held = *member
		}
	}
	r.estimateBlock(&block, held)
	r.add(block)
	return nil
}

// blockMembers are where the values of members stand that are read further.
type blockMembers struct{ text, refusal, file, audio Span }

// named is the member of that name; nil where it is not read further.
func (m *blockMembers) named(name []byte) *Span {
	switch string(name) {
	case "text":
		return &m.text
	case "refusal":
		return &m.refusal
	case "file":
		return &m.file
	case "input_audio":
		return &m.audio
	default:
		return nil
	}
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

// estimateBlock estimates a block by what it holds and notes what it asks of a
// model.
func (r *reader) estimateBlock(block *Block, held Span) {
	value := held.of(r.req.Body)
	switch block.Kind {
	case Text:
		if len(value) > 0 && value[0] == '"' {
			block.Text = held
			block.Tokens = estimateText(value)
		}
	case Image:
		r.req.Needs |= Vision
		block.Tokens = imageTokens
	case Document:
		r.req.Needs |= Documents
		block.Tokens = estimateMedia(value, "file_data", documentTokens, base64PerDocumentToken)
	case Audio:
		block.Tokens = estimateMedia(value, "data", audioTokens, base64PerAudioToken)
	default:
		block.Tokens = estimateJSON(block.Span.of(r.req.Body))
	}
}

// estimateMedia estimates by the size of inline data; without any, or where
// that is less, it is the flat figure.
func estimateMedia(media []byte, key string, flat, base64PerToken int) int {
	data, _ := lookUp(media, key)
	return max(flat, perToken(len(data), base64PerToken))
}

func (r *reader) add(block Block) { r.req.blocks = append(r.req.blocks, block) }
