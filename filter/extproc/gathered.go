package extproc

// gathered is a body that comes in pieces, in memory that is lent. It begins with
// no memory.
type gathered struct {
	lent *[]byte
	size int
}

func (g *gathered) bytes() []byte {
	if g.lent == nil {
		return nil
	}
	return (*g.lent)[:g.size]
}

// write adds a piece. Where there is no room for it twice as much is taken, or
// what the client has announced, as far as that is no more than four times what
// has come: it costs one copy less or two, and who announces much and sends
// little gets little.
func (g *gathered) write(piece []byte, announced int) {
	size := g.size + len(piece)
	if g.lent == nil || size > cap(*g.lent) {
		g.grow(max(size, 2*g.size, min(announced, 4*size)))
	}
	copy((*g.lent)[g.size:size], piece)
	g.size = size
}

func (g *gathered) grow(size int) {
	larger := bodies.Get(size)
	*larger = (*larger)[:cap(*larger)]
	copy(*larger, g.bytes())
	if g.lent != nil {
		bodies.Put(g.lent)
	}
	g.lent = larger
}

// free gives the memory back. Nobody may hold on to any of it.
func (g *gathered) free() {
	if g.lent != nil {
		bodies.Put(g.lent)
	}
	*g = gathered{}
}
