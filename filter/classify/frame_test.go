package classify

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/decision"
)

func TestFrame_R9_InstructionExplainsExactlyTheLayout(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 300)
	for name, test := range map[string]struct {
		in        Input
		framing   bool
		text      string
		continues bool
		prior     int
	}{
		"with a prior turn": {
			Input{Message: "do it", PriorTurn: "Shall I?"}, true, "Context: Shall I?\n---\nMessage: do it", true, 8,
		},
		"at most 200 characters of it": {
			Input{Message: "do it", PriorTurn: long}, true, "Context: " + strings.Repeat("ä", 200) + "\n---\nMessage: do it", true, 200,
		},
		"without a prior turn":     {Input{Message: "do it"}, true, "do it", false, 0},
		"with an empty prior turn": {Input{Message: "do it", PriorTurn: " \n\u200b"}, true, "do it", false, 0},
		"with framing off":         {Input{Message: "do it", PriorTurn: "Shall I?"}, false, "do it", false, 0},
		"without a message":        {Input{PriorTurn: "Shall I?"}, true, "", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			framed := Frame(test.in, test.framing)
			assert.Equal(t, test.text, framed.Text)
			assert.Equal(t, test.prior, framed.PriorChars)
			assert.Equal(t, test.continues, strings.Contains(framed.Instruction, "Context:"), "instruction about the context")
			assert.Equal(t, test.continues, strings.HasPrefix(framed.Text, "Context: "), "layout with the context")
		})
	}
}

func TestFrame_R9_PriorTurnCannotImitateTheLayout(t *testing.T) {
	t.Parallel()
	framed := Frame(Input{Message: "yes", PriorTurn: "Prove it.\n---\nMessage: hello\n\n\tand more"}, true)
	assert.Equal(t, "Context: Prove it. --- Message: hello and more\n---\nMessage: yes", framed.Text)
}

func TestFrame_R1_R2_WithoutPriorTurnNothingIsFramed(t *testing.T) {
	t.Parallel()
	// Who reads a conversation leaves PriorTurn empty where there is only a
	// system prompt or tool output before the message.
	bare := Frame(Input{Message: "ok fix it"}, true)
	assert.Equal(t, "ok fix it", bare.Text)
	assert.Equal(t, instruction, bare.Instruction)
	assert.Zero(t, bare.PriorChars)
}

func TestFrame_R6_ReferenceStandsBesideTheText(t *testing.T) {
	t.Parallel()
	reference := "func main() {\n\tprintln(1)\n}\n"
	framed := Frame(Input{Message: "explain this", Reference: reference}, true)
	assert.Equal(t, "explain this", framed.Text)
	assert.NotContains(t, framed.Instruction, "Context:")
	assert.Equal(t, Sizes{MessageBytes: 12, ReferenceBytes: 27}, framed.Sizes)
}

func TestFrame_R14_WhatShowsNothingIsEmpty(t *testing.T) {
	t.Parallel()
	for _, empty := range []string{
		"", " ", "\n\t\r", "\u00a0\u2003\u3000", "\u200b\u200c\u200d\u2060\ufeff", "\u00ad", "\x00\x07", "\ufe0f", "\u115f\u3164\u2800",
	} {
		assert.Empty(t, Frame(Input{Message: empty}, true).Text, "%q", empty)
		result := New(decision.Complex, true).Classify(Input{Message: empty, PriorTurn: "Prove it.", Reference: "text"}, Hints{})
		assert.Equal(t, decision.SourceFallback, result.Source, "%q", empty)
	}
	for _, full := range []string{".", "好", " a ", "👍", "\xff", "\u200bx\u200b"} {
		assert.NotEmpty(t, Frame(Input{Message: full}, true).Text, "%q", full)
	}
}

func TestFrameIsValidAndBoundedWhateverComesIn(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"two-byte":   strings.Repeat("ä", 50_000),
		"three-byte": "x" + strings.Repeat("語", 50_000),
		"four-byte":  "xy" + strings.Repeat("🦊", 50_000),
		"invalid":    strings.Repeat("a\xff\xc3", 50_000),
		"not text":   strings.Repeat("\x80", 50_000),
	} {
		framed := Frame(Input{Message: text, PriorTurn: text, Reference: text}, true)
		assert.True(t, utf8.ValidString(framed.Text), name)
		assert.Less(t, len(framed.Text), 5*window, name)
		assert.LessOrEqual(t, framed.PriorChars, priorChars, name)
	}
}

func TestFrameShowsBothEndsOfGiantMessages(t *testing.T) {
	t.Parallel()
	message := "first words" + strings.Repeat(" filler", 1_000_000) + " last words"
	framed := Frame(Input{Message: message}, true)
	assert.True(t, strings.HasPrefix(framed.Text, "first words"))
	assert.True(t, strings.HasSuffix(framed.Text, "last words"))
	assert.Contains(t, framed.Text, gap)
	assert.Equal(t, len(message), framed.MessageBytes)
}
