package conversation

import "unicode/utf8"

// Inside is the part of a text block's string that stands for its characters
// from one on up to another, which it does not hold. No character is split, and
// no escape; an escaped pair of surrogates is one character.
func (r *Request) Inside(text Span, from, to int) Span {
	at := skip(r.Body, text.Start+1, from)
	return Span{Start: at, End: skip(r.Body, at, to-from)}
}

// skip is the offset behind the next characters of a string that has been read.
func skip(body []byte, at, chars int) int {
	for chars > 0 {
		run := plain(body, at) - at
		if run >= chars {
			return at + chars
		}
		at += run
		chars -= run + 1
		switch body[at] {
		case '\\':
			_, size := unescape(body[at:])
			at += size
		case '"':
			return at
		default:
			_, size := utf8.DecodeRune(body[at:])
			at += size
		}
	}
	return at
}

// Marker is where the prompt cache is to end according to a block, as its JSON
// value; nil where the block says nothing of it.
func (r *Request) Marker(b Block) []byte { return memberOf(b.Span.of(r.Body), marker) }
