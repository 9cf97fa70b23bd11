package conversation

import (
	"bytes"
	"unicode/utf8"
)

// Token estimates count bytes of UTF-8, with one constant per kind of text.
// They were measured with the o200k_base tokenizer: agents' prose and tool
// output of code come to 3.9 to 4.4 bytes per token, tool calls and JSON to 2.8
// to 3.2, Chinese to 3.4. On recorded coding sessions that tokenizer is within
// 1% of the usage that the provider reported.
const (
	bytesPerTokenText     = 4 // ASCII in prose and code
	bytesPerTokenJSON     = 3 // any byte of JSON
	bytesPerTokenNonASCII = 3 // elsewhere; about one token per CJK character
)

// Media are estimated by flat figures, or by the size of inline base64; base64
// is never counted as text (R5).
const (
	// imageTokens is what the providers document for a picture of about a
	// megapixel, which larger ones are scaled down to.
	imageTokens = 1600
	// documentTokens is the figure for a document that is only named: about a
	// page.
	documentTokens = 2000
	// base64PerDocumentToken: a page of PDF is documented at 1,500 to 3,000
	// tokens and takes some 60 KB.
	base64PerDocumentToken = 30
	// audioTokens is the figure for audio that is only named: about a minute.
	audioTokens = 600
	// base64PerAudioToken: 10 tokens a second, at 16 KB a second of compressed
	// sound.
	base64PerAudioToken = 2000
	// tokensPerTurn is what a chat template spends around a message.
	tokensPerTurn = 4
)

// estimateText estimates the text of a JSON string that has been read.
func (r *reader) estimateText(literal Span) int {
	return r.measure(literal).tokens(r.req.Body)
}

// tokens estimates a string of a body that has been measured.
func (m measured) tokens(body []byte) int {
	if looksLikeJSON(body[m.start:]) {
		return perToken(m.bytes, bytesPerTokenJSON)
	}
	return perToken(m.bytes-m.nonASCII, bytesPerTokenText) + perToken(m.nonASCII, bytesPerTokenNonASCII)
}

// measure is what a string stands for. It is known of the string read last; of
// another, it is read again.
func (r *reader) measure(literal Span) measured {
	if r.scan.last.start != literal.Start {
		again := scanner{text: r.req.Body, at: literal.Start}
		again.string()
		return again.last
	}
	return r.scan.last
}

// estimateJSON estimates a JSON value that reaches the model as JSON, such as a
// tool definition. Long stretches of ASCII without white space are base64 or
// ciphertext and count as media.
func estimateJSON(value []byte) int { return estimateWithout(value, 0) }

// estimateWithout estimates a JSON value in which some bytes do not count.
func estimateWithout(value []byte, uncounted int) int {
	opaque := opaqueBytes(value)
	return perToken(len(value)-opaque-uncounted, bytesPerTokenJSON) + perToken(opaque, base64PerDocumentToken)
}

func perToken(size, bytesPerToken int) int { return (size + bytesPerToken - 1) / bytesPerToken }

func looksLikeJSON(literal []byte) bool { return literal[1] == '{' || literal[1] == '[' }

// opaqueBytes counts the bytes of a JSON value that its strings begin with in
// long stretches of ASCII without white space.
func opaqueBytes(value []byte) int {
	const long = 1024
	opaque := 0
	for len(value) > long {
		open := bytes.IndexByte(value, '"')
		if open < 0 {
			break
		}
		value = value[open+1:]
		stretch := opaqueStretch(value)
		if stretch >= long {
			opaque += stretch
		}
		value = value[closing(value, stretch):]
	}
	return opaque
}

// opaqueStretch is the length of what the inside of a JSON string begins with
// that may be base64 or ciphertext. Some encoders escape the slashes of base64.
// Text that is not ASCII may have no white space either, and is text.
func opaqueStretch(inner []byte) int {
	for at := 0; at < len(inner); at++ {
		switch char := inner[at]; {
		case char == '\\' && bytes.HasPrefix(inner[at:], []byte(`\/`)):
			at++
		case char <= ' ', char == '"', char == '\\', char >= utf8.RuneSelf:
			return at
		}
	}
	return len(inner)
}

// closing is the offset behind the quote that ends the string which value is
// inside of, looking from an offset on that no escape straddles.
func closing(value []byte, from int) int {
	for from < len(value) {
		at := bytes.IndexAny(value[from:], `"\`)
		switch {
		case at < 0:
			return len(value)
		case value[from+at] == '"':
			return from + at + 1
		default:
			from = min(from+at+2, len(value))
		}
	}
	return len(value)
}
