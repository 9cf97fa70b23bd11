package llm

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/decision"
)

// classifyLater classifies a text for somebody who leaves when ctx is done.
func (r *rig) classifyLater(ctx context.Context, text string) <-chan classify.Result {
	result := make(chan classify.Result, 1)
	go func() {
		result <- classify.New(decision.Medium, true).Consult(classify.Input{Message: text}, classify.Hints{}, r.Opinion(ctx))
	}()
	return result
}

// questionOf is the question about a text.
func questionOf(text string) question {
	framed := classify.Frame(classify.Input{Message: text}, true)
	return question{framed.Instruction, framed.Text}
}

// A gated server keeps everybody waiting until the gate is opened.
func gated(t *testing.T) (s *server, gate chan struct{}) {
	t.Helper()
	gate = make(chan struct{})
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
			says(simple)(w, r)
		case <-r.Context().Done():
		}
	}), gate
}

func TestOpinion_TwoHundredWithTheSameQuestionAskOnce(t *testing.T) {
	t.Parallel()
	const many = 200
	s, gate := gated(t)
	r := newRig(t, s.URL, "max_concurrent: 1")
	results := make([]<-chan classify.Result, many)
	for i := range results {
		results[i] = r.classifyLater(t.Context(), hard)
	}
	r.flights.await(t, questionOf(hard), many)
	close(gate)
	for _, result := range results {
		assert.Equal(t, decision.ByLLM, (<-result).By)
	}
	assert.Len(t, s.questions(), 1)
}

func TestOpinion_BeyondMaxConcurrentNobodyWaits(t *testing.T) {
	t.Parallel()
	s, gate := gated(t)
	r := newRig(t, s.URL, "max_concurrent: 2")
	one, two := r.classifyLater(t.Context(), "one"), r.classifyLater(t.Context(), "two")
	require.Eventually(t, func() bool { return len(s.questions()) == 2 }, soon, tick)
	assert.Equal(t, "busy", r.classify(t, "three").LLMUnused)
	close(gate)
	assert.Equal(t, decision.ByLLM, (<-one).By)
	assert.Equal(t, decision.ByLLM, (<-two).By)
	require.Eventually(t, func() bool { return len(r.slots) == 0 }, soon, tick)
	assert.Equal(t, decision.ByLLM, r.classify(t, "three").By)
}

func TestOpinion_IsGivenUpWhenEnvoyGivesUp(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		silent(w, r)
		close(ended)
	})
	r := newRig(t, s.URL, "")
	ctx, leave := context.WithCancel(t.Context())
	result := r.classifyLater(ctx, hard)
	require.Eventually(t, func() bool { return len(s.questions()) == 1 }, soon, tick)
	leave()
	assert.Equal(t, "gone", (<-result).LLMUnused)
	<-ended // the server is told, too
	require.Eventually(t, func() bool { return len(r.slots) == 0 }, soon, tick)
	assert.Zero(t, r.breaker.failures, "it says nothing about the server")
}

func TestOpinion_AServerThatFailsIsLeftAloneForAWhile(t *testing.T) {
	t.Parallel()
	var works atomic.Bool
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if works.Load() {
			says(simple)(w, r)
			return
		}
		status(http.StatusServiceUnavailable)(w, r)
	})
	r := newRig(t, s.URL, "")
	c := newClock()
	r.breaker.now = c.now
	for range 5 {
		assert.Equal(t, "http_5xx", r.classify(t, hard).LLMUnused)
	}
	assert.Equal(t, "breaker_open", r.classify(t, hard).LLMUnused)
	assert.Len(t, s.questions(), 5)
	works.Store(true)
	c.turn(10*time.Second - 1)
	assert.Equal(t, "breaker_open", r.classify(t, hard).LLMUnused)
	c.turn(1)
	assert.Equal(t, decision.ByLLM, r.classify(t, hard).By)
	assert.Equal(t, decision.ByLLM, r.classify(t, hard).By)

	logged := r.logs.TakeAll()
	require.Len(t, logged, 2, "not a line for each question")
	assert.Equal(t, "the LLM classifier is left alone for a while", logged[0].Message)
	assert.Equal(t, map[string]any{"for": 10 * time.Second, "error": "http_5xx: status 503"}, logged[0].ContextMap())
	assert.Equal(t, "the LLM classifier answers again", logged[1].Message)
}

func TestOpinion_ATimeoutCountsAsAFailure(t *testing.T) {
	t.Parallel()
	r := newRig(t, serve(t, silent).URL, "timeout: 5ms")
	for range 5 {
		assert.Equal(t, "timeout", r.classify(t, hard).LLMUnused)
	}
	assert.Equal(t, "breaker_open", r.classify(t, hard).LLMUnused)
}

func TestOpinion_RetryAfterIsHeeded(t *testing.T) {
	t.Parallel()
	for value, pause := range map[string]time.Duration{"7": 7 * time.Second, "86400": time.Minute} {
		s := serve(t, status(http.StatusTooManyRequests, "retry-after", value))
		r := newRig(t, s.URL, "")
		c := newClock()
		r.breaker.now = c.now
		assert.Equal(t, "http_429", r.classify(t, hard).LLMUnused)
		c.turn(pause - 1)
		assert.Equal(t, "breaker_open", r.classify(t, hard).LLMUnused)
		c.turn(1)
		assert.Equal(t, "http_429", r.classify(t, hard).LLMUnused)
		assert.Len(t, s.questions(), 2)
	}
}

func TestRetryAfter_IsSecondsOrADate(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{"": 0, "0": 0, "12": 12 * time.Second, "-1": 0, "soon": 0, "Wed, 21 Oct 2015 07:28:00 GMT": 0} {
		assert.Equal(t, want, retryAfter(http.Header{"Retry-After": {value}}), value)
	}
	inAnHour := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	assert.InDelta(t, time.Hour, retryAfter(http.Header{"Retry-After": {inAnHour}}), float64(time.Minute))
}
