package llm

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// question is what a model is asked.
type question struct{ instruction, text string }

// ask answers a question, or fails with an *unusedError.
type ask func(context.Context, question) (answer, error)

// flights has the same question asked once for all who have it at the moment.
// Whoever leaves takes nothing from the others, and the last one to leave ends
// it: golang.org/x/sync/singleflight would let it go on for nobody, on
// somebody's bill.
type flights struct {
	ask ask

	mu    sync.Mutex
	under map[question]*flight
}

// flight is a question under way.
type flight struct {
	cancel  context.CancelFunc
	waiting int
	landed  chan struct{}
	// What it brought, to be read once it has landed.
	answer   answer
	err      error
	panicked string
}

// join waits for the answer until ctx is done.
func (f *flights) join(ctx context.Context, q question) (answer, error) {
	joined := f.board(ctx, q)
	select {
	case <-joined.landed:
		if joined.panicked != "" {
			panic(joined.panicked) // it costs those who asked, and not the process
		}
		return joined.answer, joined.err
	case <-ctx.Done():
		f.leave(q, joined)
		return answer{}, unused(Gone)
	}
}

// board begins a flight, or joins one.
func (f *flights) board(ctx context.Context, q question) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	if joined, ok := f.under[q]; ok {
		joined.waiting++
		return joined
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	begun := &flight{cancel: cancel, waiting: 1, landed: make(chan struct{})}
	f.under[q] = begun
	go f.fly(ctx, q, begun)
	return begun
}

func (f *flights) fly(ctx context.Context, q question, under *flight) {
	defer func() {
		if reason := recover(); reason != nil {
			under.panicked = fmt.Sprintf("%v\n%s", reason, debug.Stack())
		}
		f.mu.Lock()
		f.forget(q, under)
		f.mu.Unlock()
		under.cancel()
		close(under.landed)
	}()
	under.answer, under.err = f.ask(ctx, q)
}

// leave ends a flight where nobody is left on it.
func (f *flights) leave(q question, left *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if left.waiting--; left.waiting > 0 {
		return
	}
	f.forget(q, left)
	left.cancel()
}

// forget lets nobody board any more. The caller holds the lock.
func (f *flights) forget(q question, gone *flight) {
	if f.under[q] == gone {
		delete(f.under, q)
	}
}
