package replay

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// randomChat is a session in which the assistant calls up to three tools at once.
func randomChat(t *testing.T, seed uint64) *session {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 2))
	var line strings.Builder
	line.WriteString(`{"session":"random","messages":[{"role":"user","content":"go"}`)
	for i := range 3 + random.IntN(25) {
		calls := random.IntN(4)
		fmt.Fprintf(&line, `,{"role":"assistant","content":"%d","tool_calls":[]}`, i)
		for j := range calls {
			fmt.Fprintf(&line, `,{"role":"tool","tool_call_id":"%d-%d","content":"%s"}`, i, j, strings.Repeat("x", random.IntN(400)))
		}
		if calls == 0 {
			line.WriteString(`,{"role":"user","content":"go on"}`)
		}
	}
	line.WriteString(`]}`)
	return parsed(t, line.String())
}

// naive replays a chat with a baseline by writing every request anew from decoded
// messages, some of them cut.
type naive struct {
	messages []map[string]any
	lengths  []int        // of the messages as they came, in bytes
	cut      map[int]bool // by message
}

func newNaive(t *testing.T, s *session) *naive {
	t.Helper()
	n := &naive{cut: map[int]bool{}}
	for _, p := range s.pieces {
		n.lengths = append(n.lengths, len(p.raw))
	}
	require.NoError(t, json.Unmarshal(written(s.pieces), &n.messages))
	return n
}

const naivePlaceholder = "[old tool result removed]"

// results are the messages with tool results among the first, and the round of
// each.
func (n *naive) results(pieces int) (at, round []int) {
	rounds := 0
	for i, message := range n.messages[:pieces] {
		switch message["role"] {
		case "assistant":
			rounds++
		case "tool":
			at, round = append(at, i), append(round, rounds)
		}
	}
	return at, round
}

func (n *naive) gain(message int) int {
	return max(0, len(n.messages[message]["content"].(string))-len(naivePlaceholder))
}

// size is the length of messages as they are sent.
func (n *naive) size(from, to int) int {
	size := 0
	for i := from; i < to; i++ {
		size += n.lengths[i] + 1
		if n.cut[i] {
			size -= n.gain(i)
		}
	}
	return size
}

func (n *naive) sent(t *testing.T, pieces int) []map[string]any {
	t.Helper()
	sent := make([]map[string]any, 0, pieces)
	for i, message := range n.messages[:pieces] {
		copied := maps.Clone(message)
		if n.cut[i] && n.gain(i) > 0 {
			copied["content"] = naivePlaceholder
		}
		sent = append(sent, copied)
	}
	return sent
}

func TestBaselines_AreWhatTheirRulesSay(t *testing.T) {
	t.Parallel()
	regime := Regime{0.1, 1.25}
	const keep = 2
	for name, test := range map[string]struct {
		rule rule
		cut  func(n *naive, pieces, before int)
	}{
		"sliding": {sliding, func(n *naive, pieces, _ int) {
			at, _ := n.results(pieces)
			for _, message := range at[:max(0, len(at)-10)] {
				n.cut[message] = true
			}
		}},
		"batches": {batches(keep), func(n *naive, pieces, _ int) {
			at, _ := n.results(pieces)
			for whole := 10; whole+keep <= len(at); whole += 10 {
				for _, message := range at[:whole] {
					n.cut[message] = true
				}
			}
		}},
		"break-even": {breakEven(keep, regime), func(n *naive, pieces, before int) {
			at, round := n.results(pieces)
			kept := map[int]bool{}
			for i := len(at) - 1; i >= 0 && (len(kept) < keep || kept[round[i]]); i-- {
				kept[round[i]] = true
			}
			first, removable := -1, 0
			for i, message := range at {
				if !kept[round[i]] && !n.cut[message] {
					if first < 0 && n.gain(message) > 0 {
						first = message
					}
					removable += n.gain(message)
				}
			}
			if removable == 0 {
				return
			}
			again := max(0, n.size(first, before)-removable)
			if float64(removable)*regime.Read*20 <= (regime.Write-regime.Read)*float64(again) {
				return
			}
			for i, message := range at {
				n.cut[message] = n.cut[message] || !kept[round[i]]
			}
		}},
	} {
		for seed := range uint64(30) {
			s := randomChat(t, seed)
			fast, slow := &baseline{history: newHistory(s), rule: test.rule}, newNaive(t, s)
			before := 0
			for _, pieces := range s.calls {
				test.cut(slow, pieces, before)
				before = pieces
				var got []map[string]any
				require.NoError(t, json.Unmarshal(written(fast.send(pieces)), &got))
				require.Equal(t, slow.sent(t, pieces), got, "%s, seed %d, %d messages", name, seed, pieces)
			}
		}
	}
}

func TestHistory_ReplacesSomeOfTheResultsOfAMessage(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("y", 40)
	s := parsed(t, `{"api":"anthropic_messages","messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"`+long+`","x":1},`+
		`{"type":"tool_result","tool_use_id":"2"},{"type":"tool_result","tool_use_id":"3","content":["`+long+`"]},`+
		`{"type":"tool_result","tool_use_id":"4","content":"short"},{"type":"text","text":"`+long+`"}]}]}`)
	h := newHistory(s)
	want := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"[old tool result removed]","x":1},` +
		`{"type":"tool_result","tool_use_id":"2"},{"type":"tool_result","tool_use_id":"3","content":["` + long + `"]},` +
		`{"type":"tool_result","tool_use_id":"4","content":"short"},{"type":"text","text":"` + long + `"}]}`
	got := h.with(0, 2)
	assert.Equal(t, want, string(got.raw))
	assert.Equal(t, `"short"`, string(got.content(3)))
	all := h.with(0, 4)
	assert.Equal(t, strings.Replace(want, `["`+long+`"]`, `"[old tool result removed]"`, 1), string(all.raw))
	assert.Empty(t, all.content(1))
}
