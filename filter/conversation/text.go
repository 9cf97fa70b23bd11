package conversation

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// decode returns what a JSON string stands for. Without escapes that is the
// string's own bytes, not a copy. The literal must be valid and have its quotes.
func decode(literal []byte) []byte {
	inner := literal[1 : len(literal)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return appendDecoded(make([]byte, 0, len(inner)), inner)
}

// appendDecoded appends what the inside of a JSON string stands for. A lone
// surrogate becomes U+FFFD.
func appendDecoded(dst, inner []byte) []byte {
	for {
		at := bytes.IndexByte(inner, '\\')
		if at < 0 {
			return append(dst, inner...)
		}
		dst = append(dst, inner[:at]...)
		char, size := unescape(inner[at:])
		dst = utf8.AppendRune(dst, char)
		inner = inner[at+size:]
	}
}

// unescape reads the escape that s begins with: the character it stands for,
// and its length in bytes.
func unescape(s []byte) (char rune, size int) {
	switch s[1] {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'u':
		return unescapeHex(s)
	default: // a quote, a slash or a backslash stands for itself
		return rune(s[1]), 2
	}
}

// beginsEscape reports whether the backslash at an offset in the inside of a
// JSON string begins an escape: the last of an odd run does, and that of an even
// one is itself escaped.
func beginsEscape(inner []byte, at int) bool {
	run := at + 1 - len(bytes.TrimRight(inner[:at+1], `\`))
	return run%2 == 1
}

const hexEscape = len(`\u0000`)

func unescapeHex(s []byte) (char rune, size int) {
	char = hexRune(s)
	if !utf16.IsSurrogate(char) {
		return char, hexEscape
	}
	if len(s) >= 2*hexEscape && s[hexEscape] == '\\' && s[hexEscape+1] == 'u' {
		if pair := utf16.DecodeRune(char, hexRune(s[hexEscape:])); pair != utf8.RuneError {
			return pair, 2 * hexEscape
		}
	}
	return utf8.RuneError, hexEscape
}

// hexRune is the number in a \u escape, or -1 where it is none.
func hexRune(s []byte) rune {
	value := rune(0)
	for _, c := range s[2:hexEscape] {
		digit := hexDigits[c]
		if digit < 0 {
			return -1
		}
		value = value<<4 | rune(digit)
	}
	return value
}

// hexDigits is the value of each byte as a hexadecimal digit, or -1.
var hexDigits = func() (values [256]int8) {
	for c := range values {
		values[c] = -1
	}
	for value, c := range "0123456789abcdef" {
		values[c] = int8(value)
	}
	for value, c := range "ABCDEF" {
		values[c] = int8(10 + value)
	}
	return values
}()
