package replay

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTally_ASessionIsWorseFromHalfAPercentOn(t *testing.T) {
	t.Parallel()
	total := newTally(&Replay{Options: Options{Regimes: DefaultRegimes()}}).totals[0][configured]
	for i, percent := range []float64{12, 0.1, -0.4, -10, -0.6, -10} {
		total.session(&session{name: string(rune('a' + i)), place: "f:1"}, percent)
	}
	assert.Equal(t, 3, total.worse)
	assert.Equal(t, "d", total.worst.Session, "the first of those that are as bad")
	assert.Equal(t, []Bin{{-10, 0, 4}, {0, 10, 1}, {10, 20, 1}}, histogram(total.bins))
}
