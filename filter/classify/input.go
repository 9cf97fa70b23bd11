package classify

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/pointsman/pointsman/filter/conversation"
)

// Input is what there is to classify. Nothing in it changes while a tool loop
// runs, so neither does the answer.
type Input struct {
	// Message is the latest human turn.
	Message string
	// PriorTurn is the nearest earlier text of human or assistant, or empty.
	PriorTurn string
	// Reference is material attached beside the message, such as documents or
	// code to work on, or empty. Only its size and its kind count (R6).
	Reference string
}

// window is how many bytes are looked at from each end of a text, so that a
// giant prompt costs what a long one does.
const window = 3072

// gap stands for what was left out between the two windows.
const gap = "\n…\n"

// visible is the text without white space and invisible characters at its
// ends. A text of which nothing is left is empty, as it is to conversation (R14).
func visible(text string) string { return strings.TrimFunc(text, conversation.Invisible) }

// shown is the part of a text that is looked at: all of a short one, both ends
// of a long one. It is valid UTF-8 whatever the text is, and composed (NFC): some
// keyboards and file systems write a letter and its mark as two characters.
func shown(text string) string {
	if len(text) > 2*window {
		text = headBytes(text, window) + gap + tailBytes(text, window)
	}
	return norm.NFC.String(strings.ToValidUTF8(text, string(utf8.RuneError)))
}

// headBytes is at most n bytes from the start, cut between characters.
func headBytes(text string, n int) string {
	for range utf8.UTFMax - 1 {
		if utf8.RuneStart(text[n]) {
			break
		}
		n--
	}
	return text[:n]
}

// tailBytes is at most n bytes from the end, cut between characters.
func tailBytes(text string, n int) string {
	at := len(text) - n
	for range utf8.UTFMax - 1 {
		if utf8.RuneStart(text[at]) {
			break
		}
		at++
	}
	return text[at:]
}

// headChars is the first n characters.
func headChars(text string, n int) string {
	for at := range text {
		if n == 0 {
			return text[:at]
		}
		n--
	}
	return text
}
