package classify

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
)

// turn is a human turn with the answer that people would give.
type turn struct {
	Kind     string `json:"kind"`
	Lang     string `json:"lang"`
	Tier     string `json:"tier"`
	Category string `json:"category"`
	Prior    string `json:"prior"`
	// PriorTurn is the same in the gold set.
	PriorTurn string `json:"prior_turn"`
	// Group is what turns share that belong together.
	Group   string `json:"group"`
	Message string `json:"message"`
}

// classified is the tier that the turn gets.
func (t turn) classified() decision.Tier {
	return New(decision.Medium, true).Classify(Input{Message: t.Message, PriorTurn: t.PriorTurn}, Hints{}).Tier
}

func readTurns(tb testing.TB, path string) []turn {
	tb.Helper()
	file, err := os.Open(path)
	require.NoError(tb, err)
	defer func() { require.NoError(tb, file.Close()) }()
	var turns []turn
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var read turn
		require.NoError(tb, json.Unmarshal(lines.Bytes(), &read))
		turns = append(turns, read)
	}
	return turns
}

// score counts the answers about some turns.
type score struct{ turns, right, under, farOff int }

func (s *score) add(t *testing.T, turn turn) {
	t.Helper()
	want, err := decision.ParseTier(turn.Tier)
	require.NoError(t, err)
	s.turns++
	switch off := turn.classified() - want; {
	case off == 0:
		s.right++
	case off < 0:
		s.under++
		fallthrough
	default:
		if off < -1 || off > 1 {
			s.farOff++
		}
	}
}

func (s *score) share(n int) float64 { return float64(n) / float64(s.turns) }

// TestGoldTurnsAreClassifiedAsMeasured holds the weights to what was measured on
// the gold set, which nothing was trained or tuned on, less a margin for other
// machines' arithmetic.
func TestGoldTurnsAreClassifiedAsMeasured(t *testing.T) {
	t.Parallel()
	var all score
	for _, turn := range readTurns(t, "train/gold.jsonl") {
		all.add(t, turn)
	}
	t.Logf("of %d turns: %.3f right, %.3f under-routed, %.3f off by more than one tier",
		all.turns, all.share(all.right), all.share(all.under), all.share(all.farOff))
	assert.GreaterOrEqual(t, all.share(all.right), 0.90, "right")
	assert.LessOrEqual(t, all.share(all.under), 0.05, "under-routed")
	assert.LessOrEqual(t, all.share(all.farOff), 0.02, "off by more than one tier")
}

// TestGoldGroupsAreClassifiedAsMeasured does so for follow-ups after an easy and a
// hard turn, and for requests in six languages.
func TestGoldGroupsAreClassifiedAsMeasured(t *testing.T) {
	t.Parallel()
	groups := map[string]map[string][]turn{"pair": {}, "turn": {}}
	for _, turn := range readTurns(t, "train/gold.jsonl") {
		if turn.Group != "" {
			groups[turn.Kind][turn.Group] = append(groups[turn.Kind][turn.Group], turn)
		}
	}
	bothRight, sameTier := 0, 0
	for _, pair := range groups["pair"] {
		if s := scoreOf(t, pair); s.right == s.turns {
			bothRight++
		}
	}
	for _, languages := range groups["turn"] {
		if len(tiersOf(languages)) == 1 {
			sameTier++
		}
	}
	t.Logf("%d of %d pairs right, %d of %d requests alike in every language",
		bothRight, len(groups["pair"]), sameTier, len(groups["turn"]))
	assert.GreaterOrEqual(t, float64(bothRight)/float64(len(groups["pair"])), 0.85)
	assert.GreaterOrEqual(t, float64(sameTier)/float64(len(groups["turn"])), 0.85)
}

func scoreOf(t *testing.T, turns []turn) (s score) {
	t.Helper()
	for _, turn := range turns {
		s.add(t, turn)
	}
	return s
}

func tiersOf(turns []turn) map[decision.Tier]bool {
	tiers := map[decision.Tier]bool{}
	for _, turn := range turns {
		tiers[turn.classified()] = true
	}
	return tiers
}
