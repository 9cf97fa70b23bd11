package conversation

import (
	"bytes"
	"unicode/utf8"
)

// Excerpt is a text, or the beginning and the end of a long one.
type Excerpt struct {
	// Text is valid UTF-8 and bounded, so that a prompt of 10 MB costs the
	// classifier what one of 20 KB does. Where something is left out a line
	// break stands.
	Text string
	// Chars is the length of the whole text in characters.
	Chars int
}

// excerptBytes is how much of a long text is kept at either end, in bytes of
// the body.
const excerptBytes = 8192

func (r *Request) excerpt(t Turn) Excerpt {
	var pieces [][]byte
	size, chars := 0, 0
	for piece := range r.ownText(t) {
		if isBlank(piece) {
			continue
		}
		pieces = append(pieces, piece)
		size += len(piece)
		chars += countChars(piece)
	}
	if size > 2*excerptBytes {
		pieces = append(firstOf(pieces, excerptBytes), lastOf(pieces, excerptBytes)...)
	}
	return Excerpt{Text: joinDecoded(pieces), Chars: chars}
}

// firstOf returns the pieces up to limit bytes.
func firstOf(pieces [][]byte, limit int) [][]byte {
	var first [][]byte
	for _, piece := range pieces {
		if len(piece) >= limit {
			return append(first, piece[:boundary(piece, limit)])
		}
		first = append(first, piece)
		limit -= len(piece)
	}
	return first
}

// lastOf returns the pieces from limit bytes before the end.
func lastOf(pieces [][]byte, limit int) [][]byte {
	at := len(pieces) - 1
	for at > 0 && len(pieces[at]) < limit {
		limit -= len(pieces[at])
		at--
	}
	last := pieces[at][boundary(pieces[at], max(len(pieces[at])-limit, 0)):]
	return append([][]byte{last}, pieces[at+1:]...)
}

// boundary is the last offset at or before limit at which the inside of a JSON
// string can be cut without splitting an escape or a UTF-8 sequence.
func boundary(inner []byte, limit int) int {
	if limit >= len(inner) {
		return len(inner)
	}
	from := max(limit-hexEscape, 0)
	if at := bytes.LastIndexByte(inner[from:limit], '\\'); at >= 0 {
		at += from
		if beginsEscape(inner, at) {
			if _, size := unescape(inner[at:]); at+size > limit {
				return boundary(inner, at) // the escape may be the second of a pair
			}
		}
	}
	for limit > 0 && !utf8.RuneStart(inner[limit]) {
		limit--
	}
	return limit
}

// joinDecoded decodes pieces into one text, a line break between each two.
func joinDecoded(pieces [][]byte) string {
	size := 0
	for _, piece := range pieces {
		size += len(piece) + 1
	}
	text := make([]byte, 0, size)
	for i, piece := range pieces {
		if i > 0 {
			text = append(text, '\n')
		}
		text = appendDecoded(text, piece)
	}
	return string(text)
}

// countChars counts the characters that the inside of a JSON string stands for.
func countChars(inner []byte) int {
	count := 0
	for {
		at := bytes.IndexByte(inner, '\\')
		if at < 0 {
			return count + utf8.RuneCount(inner)
		}
		_, size := unescape(inner[at:])
		count += utf8.RuneCount(inner[:at]) + 1
		inner = inner[at+size:]
	}
}

// nextChar reads the first character of the inside of a JSON string.
func nextChar(inner []byte) (char rune, size int) {
	if inner[0] == '\\' {
		return unescape(inner)
	}
	return utf8.DecodeRune(inner)
}
