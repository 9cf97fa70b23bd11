package provider

import (
	"context"
	"sync"
)

// gates hold answers back until they are opened, once and for good.
type gates struct {
	mutex sync.Mutex
	named map[string]*gate
}

type gate struct {
	passage chan struct{}
	once    sync.Once
}

func (g *gates) at(name string) *gate {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.named == nil {
		g.named = make(map[string]*gate)
	}
	if g.named[name] == nil {
		g.named[name] = &gate{passage: make(chan struct{})}
	}
	return g.named[name]
}

func (g *gates) open(name string) {
	at := g.at(name)
	at.once.Do(func() { close(at.passage) })
}

// wait returns when the gate is open; no name is no gate. It reports false
// when the client has left.
func (g *gates) wait(ctx context.Context, name string) bool {
	if name == "" {
		return ctx.Err() == nil
	}
	select {
	case <-g.at(name).passage:
		return true
	case <-ctx.Done():
		return false
	}
}
