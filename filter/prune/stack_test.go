package prune

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The best place is found among the corners of a hull; here every place is tried.
func TestStack_FindsTheBestPlaceForAnyWeight(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var s stack
		before := 0
		for range 300 {
			if !s.empty() && rng.IntN(20) == 0 {
				s.take(rng.IntN(len(s.entries)))
			}
			before += rng.IntN(4) * rng.IntN(4) // often equal, often on one line
			s.push(0, before, 1+rng.IntN(3))
			weight, rewrite := rng.IntN(6), rng.IntN(6)
			require.Equal(t, bestOfAll(s.entries, weight, rewrite), s.best(weight, rewrite), "seed %d", seed)
		}
	}
}

func bestOfAll(entries []entry, weight, rewrite int) (best int) {
	forgone := func(i int) int { return weight*entries[i].saved - rewrite*entries[i].before }
	for i := range entries {
		if forgone(i) < forgone(best) {
			best = i
		}
	}
	return best
}
