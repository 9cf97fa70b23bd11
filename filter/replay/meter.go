package replay

// usage is how many bytes of messages a provider charges for.
type usage struct {
	read    int64 // from its prompt cache
	written int64 // to it
}

func (u usage) total() int64 { return u.read + u.written }

func (u usage) plus(more usage) usage {
	return usage{read: u.read + more.read, written: u.written + more.written}
}

// bytesPerToken turns the bytes of messages into tokens. Agents' prose and code
// come to about four bytes a token; for what is compared here, one and the same
// text with and without parts of it, the figure cancels out.
const bytesPerToken = 4

func (u usage) tokens() int64 { return u.total() / bytesPerToken }

// cost is in the price of an input token.
func (u usage) cost(r Regime) float64 {
	return (r.Read*float64(u.read) + r.Write*float64(u.written)) / bytesPerToken
}

// saved is the share of a figure that another one is lower by, in percent.
func saved(of, to float64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * (of - to) / of
}

// meter is the prompt cache of one session, which holds what the request before
// was sent as.
type meter struct{ previous []*piece }

// next is what a request costs: the bytes that it begins with like the request
// before it are read from the cache, and the others are written. kept is how many
// of the request's first pieces are those of the one before.
func (m *meter) next(sent []*piece) (u usage, kept int) {
	common, kept := commonPrefix(m.previous, sent)
	m.previous = sent
	return usage{read: common, written: arrayBytes(sent) - common}, kept
}

// arrayBytes is the length of the array that the pieces are sent in.
func arrayBytes(pieces []*piece) int64 {
	size := len("[]") + max(len(pieces)-1, 0)
	for _, p := range pieces {
		size += len(p.raw)
	}
	return int64(size)
}

// commonPrefix is the number of bytes that two arrays begin with alike, and the
// number of pieces.
func commonPrefix(a, b []*piece) (size int64, pieces int) {
	if len(a) == 0 || len(b) == 0 { // nothing was sent before
		return 0, 0
	}
	size = int64(len("["))
	for i := range min(len(a), len(b)) {
		if !a[i].same(b[i]) {
			return size + commonBytes(a[i].raw, b[i].raw), i
		}
		size += int64(len(a[i].raw))
		lastOfA, lastOfB := i == len(a)-1, i == len(b)-1
		if lastOfA == lastOfB { // a comma in both, or the end of both
			size++
		}
	}
	return size, min(len(a), len(b))
}

func commonBytes(a, b []byte) int64 {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return int64(i)
		}
	}
	return int64(n)
}
