package prune

import (
	"strconv"

	"github.com/pointsman/pointsman/filter/conversation"
)

// What stands in the place of what was pruned is ASCII, so that it can be
// written into a JSON string as it is.

// maxName is how many bytes of body a tool's name may take to be written into a
// placeholder; OpenAI and Anthropic allow 64 to 128.
const maxName = 128

// placeholder appends the text that stands in the place of a result: what it was
// and how long.
func placeholder(dst, tool []byte, chars int) []byte {
	dst = append(dst, '[')
	if len(tool) > 0 && len(tool) <= maxName {
		dst = append(dst, tool...) // the inside of a JSON string already
		dst = append(dst, ' ')
	}
	dst = append(dst, "result replaced, "...)
	dst = thousands(dst, chars)
	return append(dst, " chars]"...)
}

// Further texts of a result that is replaced, and what is no text, say only
// what they were.
const (
	replacedText     = "[replaced]"
	replacedImage    = "[image replaced]"
	replacedDocument = "[document replaced]"
	replacedAudio    = "[audio replaced]"
	replacedOther    = "[block replaced]"
)

func replacedKind(kind conversation.Kind) string {
	switch kind {
	case conversation.Text:
		return replacedText
	case conversation.Image:
		return replacedImage
	case conversation.Document:
		return replacedDocument
	case conversation.Audio:
		return replacedAudio
	default:
		return replacedOther
	}
}

// marker appends what stands between the two ends of a text that is trimmed.
func marker(dst []byte, chars int) []byte {
	dst = append(dst, `\n[... `...)
	dst = thousands(dst, chars)
	return append(dst, ` characters trimmed ...]\n`...)
}

// thousands appends a number with commas between its groups of three digits.
func thousands(dst []byte, number int) []byte {
	var digits [20]byte
	text := strconv.AppendInt(digits[:0], int64(number), 10)
	for i, digit := range text {
		if i > 0 && (len(text)-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, digit)
	}
	return dst
}
