package selection_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/selection"
)

// rollout is a virtual model called name that enforces for a share of sessions.
func rollout(tb testing.TB, name string, percent int) *selection.Virtual {
	tb.Helper()
	c := catalogue(tb, fmt.Sprintf(`
default_model: one
virtual_models: [{name: %s, aliases: [one], rollout_percent: %d}]
models: [{name: one, upstream_model: one, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 10000, price: {input: 1, output: 1}}]
`, name, percent))
	return resolve(tb, c, name).Virtual
}

func sessionKey(i int) string { return "session-" + strconv.Itoa(i) }

func enforced(v *selection.Virtual) map[string]bool {
	sessions := map[string]bool{}
	for i := range 10_000 {
		if v.Enforced(sessionKey(i)) {
			sessions[sessionKey(i)] = true
		}
	}
	return sessions
}

func TestEnforcedSplitsSessionsByTheShareOfTheRollout(t *testing.T) {
	t.Parallel()
	for percent, delta := range map[int]float64{0: 0, 1: 50, 10: 200, 30: 200, 50: 200, 99: 50, 100: 0} {
		assert.InDelta(t, percent*100, len(enforced(rollout(t, "auto", percent))), delta, "%d percent", percent)
	}
}

func TestEnforcedKeepsEverySessionAsTheRolloutGrows(t *testing.T) {
	t.Parallel()
	before := map[string]bool{}
	for percent := 0; percent <= 100; percent += 10 {
		now := enforced(rollout(t, "auto", percent))
		for key := range before {
			assert.True(t, now[key], "%s was enforced at less than %d percent", key, percent)
		}
		before = now
	}
}

// The values are FNV-1a's, computed apart from this code: a replica of another
// version must split alike.
func TestEnforcedIsStableAcrossReplicas(t *testing.T) {
	t.Parallel()
	const first40 = "1100001100000110000101001000101000001100"
	v := rollout(t, "auto", 30)
	for i, want := range first40 {
		assert.Equal(t, want == '1', v.Enforced(sessionKey(i)), "session %d", i)
	}
}

func TestEnforcedBeginsTwoRolloutsWithDifferentSessions(t *testing.T) {
	t.Parallel()
	one, two := enforced(rollout(t, "auto", 10)), enforced(rollout(t, "other", 10))
	both := 0
	for key := range one {
		if two[key] {
			both++
		}
	}
	assert.InDelta(t, 100, both, 50, "a tenth of a tenth")
}

func TestEnforcedWithoutASessionIsForTheWholeRolloutOnly(t *testing.T) {
	t.Parallel()
	assert.False(t, rollout(t, "auto", 99).Enforced(""))
	assert.True(t, rollout(t, "auto", 100).Enforced(""))
}

func TestEnforcedFollowsTheModeWhereNoShareIsSet(t *testing.T) {
	t.Parallel()
	c := catalogue(t, threeModels)
	assert.True(t, resolve(t, c, "auto").Virtual.Enforced(sessionKey(1)))
	assert.False(t, resolve(t, c, "trial").Virtual.Enforced(sessionKey(1)))
}
