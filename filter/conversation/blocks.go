package conversation

// content reads a message's content, a string or an array of blocks, and says
// where it stands.
func (r *reader) content() (Span, error) {
	start := r.valueStart()
	var err error
	switch r.peek() {
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
	switch r.peek() {
	case '"':
		span, err := r.value()
		if err != nil {
			return err
		}
		text := r.measure(span)
		r.add(Block{Kind: Text, Span: span, Text: span, Chars: text.chars, Tokens: text.tokens(r.req.Body)})
		return nil
	case '{':
		return r.objectBlock()
	default:
		span, err := r.value()
		r.add(Block{Span: span, Tokens: estimateJSON(span.of(r.req.Body))})
		return err
	}
}

// blockKinds has the types of blocks of all APIs; no two of them mean different
// things by one.
var blockKinds = map[string]Kind{
	"text": Text, "refusal": Text, "input_text": Text, "output_text": Text,
	"image": Image, "image_url": Image, "input_image": Image,
	"document": Document, "file": Document, "input_file": Document,
	"input_audio":    Audio,
	"tool_use":       ToolCall,
	"tool_result":    ToolResult,
	"tool_reference": Reference,
}

// objectBlock is a block being read that says by its `type` what it is. Its
// members come in any order, and those of other types may be there too, null or
// not.
type objectBlock struct {
	Block

	first         int // the block that it or its first part becomes
	typeName      []byte
	text, refusal Span
	id, callID    Span // what it is called itself, and the call that it answers
	file, audio   Span // objects that hold or name media
	fileData      Span // media itself
	source        source
	sealed        Span                         // what only the family that wrote it can read
	signed        bool                         // what is sealed is a signature
	parts         struct{ pending, read Span } // what a tool result consists of
}

func (r *reader) objectBlock() error {
	b := objectBlock{first: len(r.req.blocks)}
	start := r.valueStart()
	err := r.object("a content block", func(name []byte) error { return r.blockMember(&b, name) })
	if err != nil {
		return err
	}
	b.Span = Span{start, r.offset()}
	return r.closeBlock(&b)
}

func (r *reader) blockMember(b *objectBlock, name []byte) (err error) {
	switch string(name) {
	case "type":
		err = r.blockType(b)
	case "text":
		b.text, err = r.stringValue()
	case "refusal":
		b.refusal, err = r.stringValue()
	case "id":
		b.id, err = r.stringValue()
	case "tool_use_id":
		b.callID, err = r.stringValue()
	case "name":
		b.Name, err = r.stringValue()
	case "content":
		err = r.blockContent(b)
	case "file":
		b.file, err = r.value()
	case "input_audio":
		b.audio, err = r.value()
	case "file_data":
		b.fileData, err = r.stringValue()
	case "source":
		b.source, err = r.readSource()
	case "signature":
		err = r.noteString(&b.sealed)
		b.signed = b.sealed.Len() > len(`""`)
	case "encrypted_content":
		err = r.noteString(&b.sealed)
	case marker:
		b.Marker, err = r.value()
	case "is_error":
		b.IsError = r.peek() == 't'
		_, err = r.value()
	default:
		_, err = r.value()
	}
	return err
}

func (r *reader) blockType(b *objectBlock) error {
	span, err := r.stringValue()
	if span.Len() > 0 {
		b.typeName = decode(span.of(r.req.Body))
		b.Kind = blockKinds[string(b.typeName)]
	}
	return err
}

// blockContent reads what a block consists of, which only a tool result's is
// read for: at once where the type came before, and else when it is known. What
// stands inside of another tool result is not taken apart further.
func (r *reader) blockContent(b *objectBlock) (err error) {
	if b.Kind != ToolResult || r.depth > 0 {
		b.parts.pending, err = r.value()
		return err
	}
	return r.within(func() (err error) {
		b.parts.read, err = r.content()
		return err
	})
}

// closeBlock settles what a block is once all of it is known, and adds it.
func (r *reader) closeBlock(b *objectBlock) error {
	if b.Kind == ToolResult && r.depth > 0 {
		b.Kind = OtherBlock
	}
	if b.Kind == ToolResult {
		return r.closeResult(b)
	}
	if err := r.estimateBlock(b); err != nil {
		return err
	}
	if b.Kind != ToolCall {
		b.Name = Span{}
	}
	b.IsError = false
	r.add(b.Block)
	return nil
}

func (r *reader) closeResult(b *objectBlock) error {
	if b.parts.pending.Len() > 0 {
		err := r.again(b.parts.pending, func() error { return r.blockContent(b) })
		if err != nil {
			return err
		}
	}
	r.insertResult(b.first, len(r.req.blocks)-b.first, Block{Span: b.parts.read, ID: b.callID, IsError: b.IsError, Marker: b.Marker})
	return nil
}

// estimateBlock estimates a block and notes what it asks of a model.
func (r *reader) estimateBlock(b *objectBlock) (err error) {
	body := r.req.Body
	switch b.Kind {
	case Text:
		if b.Text = b.text; string(b.typeName) == "refusal" {
			b.Text = b.refusal
		}
		if b.Text.Len() > 0 {
			text := r.measure(b.Text)
			b.Chars, b.Tokens = text.chars, text.tokens(body)
		}
	case Image:
		r.needs(Vision)
		b.Tokens = imageTokens
	case Document:
		r.needs(Documents)
		b.Tokens, err = r.estimateDocument(b)
	case Audio:
		data, _ := lookUp(b.audio.of(body), "data")
		b.Tokens = estimateMedia(len(data), audioTokens, base64PerAudioToken)
	case ToolCall:
		b.ID = b.id
		b.Tokens = estimateWithout(b.Span.of(body), marked(body, b.Marker))
	default:
		b.Tokens = r.estimateOther(b.Span, b.sealed, b.Marker)
		if b.signed || string(b.typeName) == "redacted_thinking" {
			r.req.Needs |= Sealed
			r.signed = true
		}
	}
	return err
}

// estimateOther estimates a value that is carried, and what is sealed in it. A
// marker does not count.
func (r *reader) estimateOther(whole, sealed, marker Span) int {
	body, uncounted := r.req.Body, marked(r.req.Body, marker)
	if sealed.Len() <= len(`""`) {
		return estimateWithout(whole.of(body), uncounted)
	}
	r.req.Needs |= Sealed
	before, after := 0, uncounted
	if marker.Start < sealed.Start {
		before, after = uncounted, 0
	}
	return estimateWithout(body[whole.Start:sealed.Start], before) +
		perToken(sealed.Len(), base64PerDocumentToken) +
		estimateWithout(body[sealed.End:whole.End], after)
}

// estimateMedia estimates by the size of inline data; without any, or where
// that is less, it is the flat figure.
func estimateMedia(size, flat, base64PerToken int) int {
	return max(flat, perToken(size, base64PerToken))
}

func (r *reader) add(block Block) { r.req.blocks = append(r.req.blocks, block) }
