package extproc

import (
	"math/bits"
	"sync"

	"google.golang.org/grpc/mem"
)

// bodies lends the memory that bodies stand in.
var bodies mem.BufferPool = new(pool)

// pool lends buffers of any size and keeps those that come back until the second
// garbage collection after that. gRPC's own pool fills a buffer with zeros first,
// which takes about as long as copying the body, and has one size for everything
// above 1 MB.
type pool struct {
	classes [classesPerDouble * bits.UintSize]sync.Pool // of *[]byte
}

const (
	smallestBuffer = 4096 // bytes
	// classesPerDouble is how many sizes there are from one power of two to the
	// next: an eighth of a buffer is unused at most.
	classesPerDouble = 8
)

// class is the number and the size of the buffers for a length.
func class(length int) (number, size int) {
	last := uint(max(length, smallestBuffer) - 1)
	power := bits.Len(last)
	step := uint(1) << (power - 1) / classesPerDouble
	steps := last/step + 1
	return classesPerDouble*power + int(steps%classesPerDouble), int(steps * step)
}

// Get returns a buffer of a length. What is in it is not defined.
func (p *pool) Get(length int) *[]byte {
	number, size := class(length)
	buffer, ok := p.classes[number].Get().(*[]byte)
	if !ok {
		fresh := make([]byte, size)
		buffer = &fresh
	}
	*buffer = (*buffer)[:length]
	return buffer
}

// Put takes a buffer back.
func (p *pool) Put(buffer *[]byte) {
	number, _ := class(cap(*buffer))
	p.classes[number].Put(buffer)
}
