package extproc

import (
	"runtime"
	"sync/atomic"

	"google.golang.org/grpc/mem"
)

// budget bounds the bytes of bodies that are held at once.
//
// A body counts from when it is here, in BUFFERED mode all at once. To count
// what a client has announced would let a few of them that announce much and
// send nothing use it up: meanwhile it is Envoy that holds what they do send.
type budget struct {
	limit int64
	held  atomic.Int64
}

// take makes room for size bytes more of a request that has own already, if
// there is any. What is held for one request alone is never too much: how large
// it may be is another limit's business.
func (b *budget) take(size, own int) bool {
	held := b.held.Add(int64(size))
	if held <= b.limit || held == int64(size+own) {
		return true
	}
	b.give(size)
	return false
}

func (b *budget) give(size int) { b.held.Add(-int64(size)) }

// lease is where the memory of a body goes back to that has been taken from a
// budget. Then its bytes count no longer.
type lease struct {
	mem.BufferPool

	*claim
}

// claim is a part of a budget.
type claim struct {
	budget *budget
	size   int
	given  atomic.Bool // back
}

// newLease is for memory from a pool that has been taken from a budget. Where a
// connection breaks, gRPC forgets what it was to send (measured: v1.85). That is
// given back when it is collected as garbage.
func newLease(pool mem.BufferPool, b *budget, size int) *lease {
	l := &lease{pool, &claim{budget: b, size: size}}
	runtime.AddCleanup(l, (*claim).give, l.claim)
	return l
}

// Put takes the memory back.
func (l *lease) Put(buffer *[]byte) {
	l.BufferPool.Put(buffer)
	l.give()
}

func (c *claim) give() {
	if c.given.CompareAndSwap(false, true) {
		c.budget.give(c.size)
	}
}
