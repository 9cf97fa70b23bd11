package conversation

import "unicode/utf8"

// Inside is the part of a text block's string that stands for its characters
// from one on up to another, which it does not hold, and what it is estimated at
// in tokens. No character is split, and no escape; an escaped pair of surrogates
// is one character.
func (r *Request) Inside(text Span, from, to int) (inside Span, tokens int) {
	start, _ := skip(r.Body, text.Start+1, from)
	end, skipped := skip(r.Body, start, to-from)
	skipped.start = text.Start
	return Span{Start: start, End: end}, skipped.tokens(r.Body)
}

// skip is the offset behind the next characters of a string that has been read,
// and what it went over.
func skip(body []byte, at, chars int) (end int, over measured) {
	for chars > 0 {
		run := min(plain(body, at)-at, chars)
		at += run
		over.bytes += run
		if chars -= run; chars == 0 || body[at] == '"' {
			break
		}
		char, size := nextChar(body[at:])
		at += size
		chars--
		over.bytes += utf8.RuneLen(char)
		if char >= utf8.RuneSelf {
			over.nonASCII += utf8.RuneLen(char)
		}
	}
	return at, over
}
