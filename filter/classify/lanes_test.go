package classify

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLanesAddAsManyRowsAsThereAre(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(1, 2))
	for _, fill := range []func() byte{func() byte { return 255 }, func() byte { return 0 }, func() byte { return byte(chance.Uint32()) }} {
		var want, got [stride]int32
		var l lanes
		for range 3 * mostRows {
			var row [stride]byte
			for o := range row {
				row[o] = fill()
				want[o] += int32(row[o]) - zero
			}
			if l.add(&row) {
				l.drain(&got)
			}
		}
		l.drain(&got)
		assert.Equal(t, want, got)
	}
}
