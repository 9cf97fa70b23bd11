package replay

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestProgress_SaysHowFarAndHowLongStill(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	clock := time.Unix(1000, 0)
	p := &progress{out: &out, now: func() time.Time { return clock }, started: clock}
	for _, step := range []struct {
		after    time.Duration
		sessions int
		share    float64
		want     string
	}{
		{time.Second, 1, 0, "\r\x1b[K1 session replayed"},
		{often / 2, 2, 0.25, ""},
		{9 * time.Second, 1200, 0.25, "\r\x1b[K1,200 sessions replayed, 25% read, about 30s left"},
		{time.Second, 1201, 1, "\r\x1b[K1,201 sessions replayed"},
	} {
		out.Reset()
		clock = clock.Add(step.after)
		p.show(step.sessions, step.share)
		assert.Equal(t, step.want, out.String())
	}
	out.Reset()
	p.done()
	assert.Equal(t, "\r\x1b[K", out.String())
}

func TestReplay_ReportsProgress(t *testing.T) {
	t.Parallel()
	var done []int
	var shares []float64
	options := Options{Progress: func(sessions int, share float64) {
		done, shares = append(done, sessions), append(shares, share)
	}}
	_, _ = replayed(t, configuration(t, ""), options, sessions)
	assert.Equal(t, []int{1, 2, 3, 4, 4}, done)
	assert.Greater(t, shares[0], 0.0)
	assert.InDelta(t, 1, shares[len(shares)-1], 1e-9)
}
