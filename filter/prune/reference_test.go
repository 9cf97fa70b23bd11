package prune

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// reference is the rule of cut.go, written down without regard to what it costs:
// every place, at every request, with sums made anew.
type reference struct {
	*fold

	pruned map[int]bool
	cuts   int
}

// sentUpTo are the tokens of the messages up to a place, as they are sent.
func (r *reference) sentUpTo(tokens int) int {
	sent := tokens
	for i := range r.results {
		if r.pruned[i] && r.results[i].before < tokens {
			sent -= r.results[i].saves
		}
	}
	return sent
}

func (r *reference) candidates(upTo, signed int) (all []int) {
	for i := range r.results {
		if r.results[i].round <= upTo && i >= signed && !r.pruned[i] {
			all = append(all, i)
		}
	}
	return all
}

// best is the place of a cut that gains most among candidates, of which those
// from fixed on are pruned whatever the place; of equal ones the first.
func (r *reference) best(candidates []int, fixed, limit, calls, grown int) (at, gain, saves int) {
	gain = -1 << 62
	for k, place := range candidates[:fixed] {
		sum := 0
		for _, i := range candidates[k:] {
			sum += r.results[i].saves
		}
		behind := r.sentUpTo(limit) - r.sentUpTo(r.results[place].before) - sum + grown
		if g := r.read*sum*calls - r.rewrite*behind; g > gain {
			at, gain, saves = k, g, sum
		}
	}
	return at, gain, saves
}

// request follows fold.request, by the fold's own state.
func (r *reference) request(tokens, sent, rounds, requests, looped, signed int) {
	calls := 1 + min(r.calls, max(looped-settled, 0))
	old := r.candidates(rounds-r.Pruner.rounds, signed)
	if r.sentUpTo(tokens) < r.budget || len(old) == 0 {
		return
	}
	at, gain, saves := r.best(old, len(old), sent, calls, 0)
	if gain <= 0 || saves < r.minSavings {
		return
	}
	for d := 1; d <= min(ahead, r.Pruner.rounds, calls-1); d++ {
		grown := d * tokens / (requests + 1)
		later := r.candidates(rounds-r.Pruner.rounds+d, signed)
		if len(later) == len(old) {
			continue
		}
		_, wait, _ := r.best(later, len(old), tokens, calls-d, grown)
		fresh := later[len(old):]
		_, second, _ := r.best(fresh, 1, tokens, calls-d, grown)
		if wait > gain+max(second, 0) {
			return
		}
	}
	for _, i := range old[at:] {
		r.pruned[i] = true
	}
	r.cuts++
}

// The fold, which is linear, prunes what the rule says.
func TestFold_PrunesWhatTheRuleSays(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		read, write := rng.Float64(), 2*rng.Float64()
		p := New(&configv1.Prune{
			Enabled: new(true), BudgetTokens: new(int32(rng.IntN(2000))), KeepLastRounds: new(int32(1 + rng.IntN(4))),
			MinSavingsTokens: new(int32(rng.IntN(300))), ExpectedCalls: new(int32(1 + rng.IntN(40))),
			CachedReadRatio: &read, CacheWriteRatio: &write, LongResults: new("replace"),
		})
		body := randomSession(rng)
		req, err := conversation.Read(conversation.AnthropicMessages, []byte(body))
		require.NoError(t, err)

		done := &fold{Pruner: p, req: req}
		done.run()
		want := expectedOf(p, req)
		for i := range done.results {
			require.Equal(t, want.pruned[i], done.results[i].pruned, "seed %d, result %d of %d", seed, i, len(done.results))
		}
		require.Equal(t, want.cuts, done.cuts, "seed %d", seed)
	}
}

// expectedOf goes through the conversation with the rule written down, by the
// fold's own notes of what there is.
func expectedOf(p *Pruner, req *conversation.Request) *reference {
	notes := &fold{Pruner: p, req: req}
	silent := *p
	silent.budget = 1 << 60 // makes notes and no cuts
	notes.Pruner = &silent
	r := &reference{fold: &fold{Pruner: p, req: req}, pruned: map[int]bool{}}
	calling, news := false, false
	consider := func(tokens, looped int) {
		if !news {
			return // but for what a client has put in by itself
		}
		news = false
		r.results = notes.results
		r.request(tokens, notes.sent, notes.rounds, notes.requests, looped, notes.signed)
	}
	ask := func() {
		consider(notes.tokens, notes.looped)
		notes.request()
	}
	for i, turn := range req.Turns {
		calls := turn.Role == conversation.Assistant
		switch {
		case calls && !calling:
			ask()
			notes.called = true
			notes.names.begin()
		case !calling && turn.Role == conversation.User:
			consider(notes.tokens, notes.looped)
		}
		calling = calls
		looped := notes.looped
		notes.turn(i, turn)
		news = news || calls || turn.Results > 0
		if beside := tokensBeside(req, turn); turn.Results > 0 && beside > 0 {
			consider(notes.tokens-beside, looped)
		}
		news = news || turn.Human()
	}
	if !calling {
		ask()
	}
	return r
}

func tokensBeside(req *conversation.Request, turn conversation.Turn) (beside int) {
	for _, block := range req.Blocks(turn) {
		if block.Kind == conversation.Text && block.Span == block.Text {
			continue // a part of a result, which is a bare string here
		}
		if block.Kind != conversation.ToolResult {
			beside += block.Tokens
		}
	}
	return beside
}

func randomSession(rng *rand.Rand) string {
	var messages []string
	for i := range 2 + rng.IntN(60) {
		thinking := ""
		if rng.IntN(20) == 0 {
			thinking = `{"type":"thinking","thinking":"","signature":"c2lnbmVk"},`
		}
		if rng.IntN(10) == 0 {
			messages = append(messages, `{"role":"user","content":"next"}`)
		}
		beside := ""
		switch rng.IntN(12) {
		case 0:
			beside = `,{"type":"text","text":"no, wait"}`
		case 1:
			beside = `,{"type":"text","text":"<system-reminder>` + strings.Repeat("be careful ", rng.IntN(50)) + `</system-reminder>"}`
		}
		messages = append(messages,
			fmt.Sprintf(`{"role":"assistant","content":[%s{"type":"tool_use","id":"%d","name":"f","input":{"a":"%s"}}]}`, thinking, i, strings.Repeat("a ", rng.IntN(100))),
			fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"%d","content":"%s"}%s]}`, i, strings.Repeat("word ", rng.IntN(1<<rng.IntN(11))), beside))
	}
	return `{"model":"m","messages":[` + strings.Join(messages, ",") + `]}`
}
