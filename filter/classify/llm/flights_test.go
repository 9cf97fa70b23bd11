package llm

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
)

const (
	soon = 10 * time.Second // longer than anything here takes
	tick = time.Millisecond
)

// waiting is how many wait for the answer to q.
func (f *flights) waiting(q question) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if under, ok := f.under[q]; ok {
		return under.waiting
	}
	return 0
}

func (f *flights) await(t *testing.T, q question, number int) {
	t.Helper()
	require.Eventually(t, func() bool { return f.waiting(q) == number }, soon, tick)
}

// landing is what somebody gets who waits.
type landing struct {
	answer answer
	err    error
}

func (f *flights) joinLater(ctx context.Context, q question) <-chan landing {
	landed := make(chan landing, 1)
	go func() {
		got, err := f.join(ctx, q)
		landed <- landing{got, err}
	}()
	return landed
}

var (
	asked1 = question{"i", "one"}
	told   = answer{decision.Medium, decision.Math, 0.3}
)

func TestFlights_WhoLeavesTakesNothingFromTheOthers(t *testing.T) {
	t.Parallel()
	open := make(chan struct{})
	f := &flights{under: map[question]*flight{}, ask: func(ctx context.Context, _ question) (answer, error) {
		select {
		case <-open:
			return told, nil
		case <-ctx.Done():
			return answer{}, unused(Gone)
		}
	}}
	first, leave := context.WithCancel(t.Context())
	leaves := f.joinLater(first, asked1)
	f.await(t, asked1, 1)
	stays := f.joinLater(t.Context(), asked1)
	f.await(t, asked1, 2)
	leave()
	require.EqualError(t, (<-leaves).err, "gone")
	f.await(t, asked1, 1)
	close(open)
	assert.Equal(t, landing{told, nil}, <-stays)
	assert.Empty(t, f.under)
}

func TestFlights_TheLastWhoLeavesEndsIt(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	f := &flights{under: map[question]*flight{}, ask: func(ctx context.Context, _ question) (answer, error) {
		<-ctx.Done()
		close(ended)
		return answer{}, unused(Gone)
	}}
	ctx, leave := context.WithCancel(t.Context())
	one, two := f.joinLater(ctx, asked1), f.joinLater(ctx, asked1)
	f.await(t, asked1, 2)
	leave()
	require.EqualError(t, (<-one).err, "gone")
	require.EqualError(t, (<-two).err, "gone")
	<-ended
	assert.Zero(t, f.waiting(asked1), "nobody joins what has ended")
}

func TestFlights_DifferentQuestionsAreAskedEach(t *testing.T) {
	t.Parallel()
	f := &flights{under: map[question]*flight{}, ask: func(_ context.Context, q question) (answer, error) {
		return answer{difficulty: float64(len(q.instruction) + 10*len(q.text))}, nil
	}}
	for q, want := range map[question]float64{{"i", "t"}: 11, {"it", ""}: 2, {"", "it"}: 20} {
		got, err := f.join(t.Context(), q)
		require.NoError(t, err)
		assert.InDelta(t, want, got.difficulty, 0)
	}
}

func TestFlights_APanicIsThatOfWhoAsked(t *testing.T) {
	t.Parallel()
	f := &flights{under: map[question]*flight{}, ask: func(context.Context, question) (answer, error) { panic("broken") }}
	for range 2 {
		assert.PanicsWithValue(t, "broken", func() {
			defer func() {
				text := recover().(string)
				assert.Contains(t, text, "flights_test.go")
				panic(text[:6])
			}()
			_, _ = f.join(t.Context(), asked1)
		})
	}
	assert.Empty(t, f.under)
}
