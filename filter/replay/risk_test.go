package replay

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

const mentions = `{"messages": [{"role": "user", "content": "see carried_name"},
	{"role": "assistant", "content": "looking"},
	{"role": "tool", "tool_call_id": "1", "content": "here: carried_name, early_name, forgotten_name and many more words to replace"},
	{"role": "assistant", "content": "early_name it is"},
	{"role": "tool", "tool_call_id": "2", "content": "here: src/lost.py and again_name and many more words to replace"},
	{"role": "assistant", "content": "nothing"},
	{"role": "tool", "tool_call_id": "3", "content": "here: again_name"},
	{"role": "assistant", "tool_calls": [{"id": "4", "type": "function", "function": {"name": "f", "arguments": "{\"p\": \"%s\"}"}}]}]}`

// lastMention replays the session with an assistant that ends by mentioning a
// name, and says which results are pruned and needed again when the first two
// are replaced in the last request.
func lastMention(t *testing.T, name string) (pruned, needed []bool) {
	t.Helper()
	h := newHistory(parsed(t, fmt.Sprintf(mentions, name)))
	replaceTwo := func(_ *history, pieces, _, _ int) int {
		if pieces == 7 {
			return 2
		}
		return 0
	}
	b := &baseline{history: h, rule: replaceTwo}
	o := observer{risk: newRisk(h)}
	for _, pieces := range h.calls {
		o.observe(h, b.send(pieces))
	}
	o.done()
	assert.Equal(t, 2, o.pruned)
	assert.Equal(t, 1, o.changed)
	assert.Equal(t, 1, o.breaks)
	assert.Equal(t, count(o.risk.needed), o.needed)
	return o.risk.pruned, o.risk.needed
}

func TestRisk_ANameIsNeededAgainWhereItIsLostAndMentionedLater(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]bool{
		"forgotten_name": {true, false, false},
		"src/lost.py":    {false, true, false},
		"carried_name":   {false, false, false}, // the user said it, too
		"again_name":     {false, false, false}, // a kept result holds it
		"early_name":     {false, false, false}, // the assistant said it, which is carried
		"many":           {false, false, false}, // a word of prose
	} {
		pruned, needed := lastMention(t, name)
		assert.Equal(t, []bool{true, true, false}, pruned, name)
		assert.Equal(t, want, needed, name)
	}
}
