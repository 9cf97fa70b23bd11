package conversation

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// scanner reads JSON text value by value and stops at whatever is none (RFC
// 8259). It takes duplicate names and lone surrogate escapes, and refuses
// invalid UTF-8. What is wrong it does not say.
//
// A body is text for the most part. Strings are read eight bytes at a time and
// measured on the way, since a second pass would cost as much again.
type scanner struct {
	text  []byte
	at    int // offset of what is read next
	depth int
	last  measured
}

// measured is a string that has been read.
type measured struct {
	// start is the offset of its opening quote; 0 where none has been read.
	start int
	// bytes are how many bytes of UTF-8 it stands for, and nonASCII how many of
	// them are not ASCII.
	bytes, nonASCII int
	// chars are the characters that it stands for.
	chars int
}

// maxDepth is how deeply arrays and objects may be nested; jsontext, which words
// the errors, has the same bound.
const maxDepth = 10_000

// peek is the byte that the next value begins with; 0 at the end.
func (s *scanner) peek() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// take reads one byte, if it is the next.
func (s *scanner) take(c byte) bool {
	if s.peek() != c || s.at == len(s.text) {
		return false
	}
	s.at++
	return true
}

// open reads the opening bracket of an array or an object.
func (s *scanner) open(bracket byte) bool {
	s.depth++
	return s.depth <= maxDepth && s.take(bracket)
}

// more reads what stands before the next element: nothing before the first, a
// comma before another, or the closing bracket instead of it.
func (s *scanner) more(first bool, closing byte) (more, ok bool) {
	if s.take(closing) {
		s.depth--
		return false, true
	}
	ok = first || s.take(',')
	return ok, ok
}

// value reads any value.
func (s *scanner) value() bool {
	switch s.peek() {
	case '"':
		return s.string()
	case '{':
		return s.object()
	case '[':
		return s.array()
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	default:
		return s.number()
	}
}

// next reads a value that is known to be one, and returns it.
func (s *scanner) next() []byte {
	s.peek()
	start := s.at
	s.value()
	return s.text[start:s.at]
}

func (s *scanner) object() bool {
	ok := s.open('{')
	for first, more := true, ok; more; first = false {
		if more, ok = s.more(first, '}'); more {
			more = s.peek() == '"' && s.string() && s.take(':') && s.value()
			ok = more
		}
	}
	return ok
}

func (s *scanner) array() bool {
	ok := s.open('[')
	for first, more := true, ok; more; first = false {
		if more, ok = s.more(first, ']'); more {
			more = s.value()
			ok = more
		}
	}
	return ok
}

func (s *scanner) literal(word string) bool {
	if len(s.text)-s.at < len(word) || string(s.text[s.at:s.at+len(word)]) != word {
		return false
	}
	s.at += len(word)
	return true
}

func (s *scanner) number() bool {
	s.have('-')
	if !s.have('0') && !s.digits() {
		return false
	}
	if s.have('.') && !s.digits() {
		return false
	}
	if s.have('e') || s.have('E') {
		_ = s.have('+') || s.have('-')
		return s.digits()
	}
	return true
}

// have reads one byte, if it is the very next.
func (s *scanner) have(c byte) bool {
	if s.at == len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) digits() bool {
	from := s.at
	for s.at < len(s.text) && s.text[s.at]-'0' <= 9 {
		s.at++
	}
	return s.at > from
}

// string reads a string, of which the opening quote is the next byte.
func (s *scanner) string() bool {
	start := s.at
	at := start + 1
	saved, nonASCII, foreigners := 0, 0, 0 // bytes that escapes take more than what they stand for
	for {
		if at = plain(s.text, at); at == len(s.text) {
			return false
		}
		size, stands, chars := 0, 0, 1
		switch c := s.text[at]; {
		case c == '"':
			s.at = at + 1
			length := at - start - 1 - saved
			s.last = measured{start, length, nonASCII, length - nonASCII + foreigners}
			return true
		case c == '\\':
			// Most come in runs, such as that of a line break and its indentation.
			for at+1 < len(s.text) && s.text[at] == '\\' && short[s.text[at+1]] {
				at += 2
				saved++
			}
			if at == len(s.text) || s.text[at] != '\\' {
				continue
			}
			size, stands = longEscape(s.text[at:])
			saved += size - stands
		case c >= utf8.RuneSelf:
			size, chars = foreign(s.text[at:])
			stands = size
		}
		if size == 0 { // a control character, or what only looks like the others
			return false
		}
		if stands > 1 {
			nonASCII += stands
			foreigners += chars
		}
		at += size
	}
}

// plain is the offset of the first byte from an offset on that does not stand
// for itself in a string or is not ASCII: a quote, a backslash, a control
// character or a byte with its high bit set. Without one it is the text's end.
func plain(text []byte, at int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	for len(text)-at >= 8 {
		word := binary.LittleEndian.Uint64(text[at:])
		quote, backslash := word^'"'*ones, word^'\\'*ones
		// The lowest high bit that is set is right. Those above it need not be: a
		// difference borrows from the next byte.
		found := ((word - ' '*ones) | (quote - ones) | (backslash - ones) | word) & highs
		if found != 0 {
			return at + bits.TrailingZeros64(found)>>3
		}
		at += 8
	}
	for at < len(text) && !special(text[at]) {
		at++
	}
	return at
}

func special(c byte) bool { return c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf }

// short are the bytes that make an escape with a backslash before them.
var short = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// longEscape measures the \u escape that text begins with, in the text and in
// UTF-8. The size is 0 where it is none.
func longEscape(text []byte) (size, stands int) {
	if len(text) < hexEscape || text[1] != 'u' || hexRune(text) < 0 {
		return 0, 0
	}
	char, size := unescapeHex(text)
	return size, utf8.RuneLen(char)
}

// foreign measures the characters beyond ASCII that text begins with, in bytes,
// and counts them. The size is 0 where one of them is not valid UTF-8.
func foreign(text []byte) (size, chars int) {
	for size < len(text) && text[size] >= utf8.RuneSelf {
		char, width := utf8.DecodeRune(text[size:])
		if char == utf8.RuneError && width == 1 {
			return 0, 0
		}
		size += width
		chars++
	}
	return size, chars
}
