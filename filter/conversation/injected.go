package conversation

import (
	"bytes"
	"math"
)

// injectedTags are the elements that coding agents put into user messages by
// themselves: reminders, the state of the editor or the shell, instruction
// files. They are not what the human said, in whichever turn they arrive.
var injectedTags = [...]string{"system-reminder", "environment_context", "environment_details", "user_instructions"}

// withoutInjected goes through the pieces of the inside of a JSON string that
// stand outside of injected elements. It reports false when yield did.
func withoutInjected(inner []byte, yield func(inner []byte) bool) bool {
	var cursors [len(injectedTags)]tagCursor
	done := 0
	for {
		next := Span{len(inner), len(inner)}
		for i, name := range injectedTags {
			if found := cursors[i].next(inner, []byte(name), done); found.Start < next.Start {
				next = found
			}
		}
		if next.Start > done && !yield(inner[done:next.Start]) {
			return false
		}
		if next.Start == len(inner) {
			return true
		}
		done = next.End
	}
}

// tagCursor finds the elements of one name, from the front to the back. It
// remembers the tags it found ahead, so that a text full of tags costs no more
// than its bytes.
type tagCursor struct{ open, shut Span }

// next is the first whole element that begins at or after from. Where there is
// none it begins behind the text. An element that is never closed is text.
func (c *tagCursor) next(inner, name []byte, from int) Span {
	if c.open.Start < from || c.open.Len() == 0 {
		c.open = findTag(inner, name, from, false)
	}
	if c.shut.Start < c.open.End || c.shut.Len() == 0 {
		c.shut = findTag(inner, name, c.open.End, true)
	}
	if c.shut == noTag {
		return noTag
	}
	return Span{c.open.Start, c.shut.End}
}

// noTag stands behind every text.
var noTag = Span{math.MaxInt - 1, math.MaxInt}

// findTag finds <name> or </name> at or after from, with its angle brackets as
// they are or as the escapes that some JSON encoders write for them.
func findTag(inner, name []byte, from int, closing bool) Span {
	for from < len(inner) {
		at := bytes.Index(inner[from:], name)
		if at < 0 {
			break
		}
		before, behind := inner[from:from+at], inner[from+at+len(name):]
		start := startOfTag(before, closing)
		end := bracketAfter(behind)
		if start >= 0 && end > 0 {
			return Span{from + start, from + at + len(name) + end}
		}
		from += at + len(name)
	}
	return noTag
}

// startOfTag is where in the text before a tag's name the tag begins, or -1.
func startOfTag(before []byte, closing bool) int {
	if closing {
		var slash bool
		if before, slash = bytes.CutSuffix(before, []byte("/")); !slash {
			return -1
		}
		before = bytes.TrimSuffix(before, []byte(`\`)) // the slash may be escaped
	}
	if bytes.HasSuffix(before, []byte("<")) {
		return len(before) - 1
	}
	at := len(before) - hexEscape
	if at < 0 || !bytes.EqualFold(before[at:], []byte(`\u003c`)) || !beginsEscape(before, at) {
		return -1
	}
	return at
}

// bracketAfter is the length of the > that a text begins with, or 0.
func bracketAfter(text []byte) int {
	for _, bracket := range [...]string{">", `\u003e`, `\u003E`} {
		if bytes.HasPrefix(text, []byte(bracket)) {
			return len(bracket)
		}
	}
	return 0
}
