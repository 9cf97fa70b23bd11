package replay

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
)

const checked = `{"api": "anthropic_messages", "messages": [{"role": "user", "content": "go"},
	{"role": "assistant", "content": "1"},
	{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "first result"},
		{"type": "tool_result", "tool_use_id": "2", "content": "second result"}]},
	{"role": "assistant", "content": "2"},
	{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "3", "content": "third result"}]},
	{"role": "assistant", "content": "3"}]}`

// sending is one of a session's requests: what is replaced of it by what, and how
// many pruned results its decision tells of.
type sending struct {
	told  int
	alter []string
}

// sendAltered checks the three requests of a session.
func sendAltered(t *testing.T, requests [3]sending) (*checker, error) {
	t.Helper()
	s := parsed(t, checked)
	l := &liveSession{history: newHistory(s), checker: &checker{where: "here"}, told: &record{}}
	for i, pieces := range s.calls {
		body := strings.NewReplacer(requests[i].alter...).Replace(string(s.body(nil, []byte(`"model"`), pieces)))
		sent, err := l.split([]byte(body), pieces)
		if err != nil {
			return l.checker, err
		}
		l.told.replaced = requests[i].told
		l.check(sent)
		l.sent = sent
	}
	return l.checker, nil
}

func TestChecker_KeptPromisesAreNotCounted(t *testing.T) {
	t.Parallel()
	for _, requests := range [][3]sending{
		{},
		{{}, {1, []string{"first result", "-"}}, {2, []string{"first result", "-", "second result", "-"}}},
		{{}, {}, {2, []string{"first result", "-", "third result", ""}}},
		{{0, []string{`:"model"`, `:"other"`}}, {1, []string{"second result", "-"}}, {2, []string{"second result", "-", "third result", "-"}}},
	} {
		c, err := sendAltered(t, requests)
		require.NoError(t, err)
		assert.Equal(t, Checks{Requests: 3}, c.Checks, requests)
		assert.Empty(t, c.broken)
	}
}

func TestChecker_EachBrokenPromiseIsCountedAndSaid(t *testing.T) {
	t.Parallel()
	saysNo := sending{0, []string{"go", "no"}}
	for want, test := range map[string]struct {
		requests [3]sending
		counts   Checks
	}{
		"here: message 0 is changed outside of what its tool results hold": {
			[3]sending{saysNo, saysNo, saysNo}, Checks{Requests: 3, OtherChanges: 1},
		},
		"here: message 2 is changed outside of what its tool results hold": {
			[3]sending{{}, {}, {1, []string{`"first result"`, `["a"]`}}}, Checks{Requests: 3, OtherChanges: 1},
		},
		"here: message 4 is longer than it was: 94 bytes instead of 93": {
			[3]sending{{}, {}, {1, []string{"third result", "third result!"}}}, Checks{Requests: 3, Longer: 1},
		},
		"here: message 4 does not have the results that it had": {
			[3]sending{{}, {}, {0, []string{`"tool_use_id":"3"`, `"tool_use_id":"9"`}}}, Checks{Requests: 3, LostResults: 1},
		},
		"here: message 2 is sent other than in the request before, and was pruned there already": {
			[3]sending{{}, {1, []string{"first result", "a"}}, {1, []string{"first result", "b"}}}, Checks{Requests: 3, BrokenPrefixes: 1},
		},
		"here: the decision says 2 replaced and 0 trimmed, and 1 results are changed": {
			[3]sending{{}, {}, {2, []string{"third result", ""}}}, Checks{Requests: 3, Miscounted: 1},
		},
	} {
		c, err := sendAltered(t, test.requests)
		require.NoError(t, err)
		assert.Equal(t, test.counts, c.Checks, want)
		assert.Equal(t, []string{want}, c.broken)
		assert.Equal(t, 1, c.Broken())
	}
}

func TestChecker_APrunedResultDoesNotComeBack(t *testing.T) {
	t.Parallel()
	c, err := sendAltered(t, [3]sending{{}, {1, []string{"first result", "a"}}, {}})
	require.NoError(t, err)
	assert.Equal(t, Checks{Requests: 3, BrokenPrefixes: 1}, c.Checks)
}

func TestSplit_SaysWhatIsNotAsItWasRecorded(t *testing.T) {
	t.Parallel()
	for want, alter := range map[string][]string{
		"what stands beside the messages is changed":                   {`,"messages"`, `,"x":1,"messages"`},
		"behind message 0 there is something else than was recorded":   {`,{"role":"assistant","content":"1"},`, ``},
		"behind message 1 there is something else than was recorded":   {`"1"}`, `"1"} `},
		"behind message 4 there is something else than was recorded":   {`]}]}`, `]},{}]}`},
		"there are more than the 5 messages that were recorded":        {`]}]}`, `]}]}}`},
		"message 4 cannot be read: jsontext: invalid character 'x' at": {`{"role":"user","content":[{"type":"tool_result","tool_use_id":"3"`, `x`},
	} {
		_, err := sendAltered(t, [3]sending{2: {0, alter}})
		require.ErrorContains(t, err, want)
	}
	for _, body := range []string{`{}`, `{"model":}`, `{"model":"m","messages":{}}`} {
		l := &liveSession{history: newHistory(parsed(t, checked))}
		_, err := l.split([]byte(body), 1)
		require.EqualError(t, err, "what stands beside the messages is changed", body)
	}
}

func TestLiveSession_APipelineThatRemembersIsFound(t *testing.T) {
	t.Parallel()
	cfg := configuration(t, "")
	one, err := newLive(cfg, Regime{0.1, 1})
	require.NoError(t, err)
	s := parsed(t, checked)
	l := &liveSession{live: one, history: newHistory(s), checker: &checker{where: "here"}, told: &record{}}
	body := s.body(nil, []byte(`"auto"`), 5)
	require.NoError(t, l.repeat(body, bytes.Replace(body, []byte(`"auto"`), []byte(`"m"`), 1)))
	assert.Empty(t, l.broken)
	require.NoError(t, l.repeat(body, body))
	assert.Equal(t, Checks{Stateful: 1}, l.Checks)
	assert.Equal(t, []string{"here: the last request alone is sent as other bytes than after the others"}, l.broken)
}

func TestChecker_TokensSavedAreTheDifferenceAndNeverNegative(t *testing.T) {
	t.Parallel()
	for saved, broken := range map[int32]int{30: 0, 29: 1, -10: 1} {
		c := &checker{where: "here"}
		c.tokens(&decision.Decision{PromptTokens: 100, PrunedTokens: 70, TokensSaved: saved})
		assert.Equal(t, broken, c.Miscounted, saved)
	}
	c := &checker{where: "here"}
	c.tokens(&decision.Decision{PromptTokens: 70, PrunedTokens: 100, TokensSaved: -30})
	assert.Equal(t, []string{"here: the decision says -30 tokens saved, from 70 to 100"}, c.broken)
}

func TestChecks_AddUp(t *testing.T) {
	t.Parallel()
	one := Checks{1, 2, 3, 4, 5, 6, 7}
	one.add(Checks{10, 20, 30, 40, 50, 60, 70})
	assert.Equal(t, Checks{11, 22, 33, 44, 55, 66, 77}, one)
	assert.Equal(t, 22+33+44+55+66+77, one.Broken())
}
