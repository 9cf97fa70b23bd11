package classify

import "encoding/binary"

// stride is how many bytes a row of weights has: the outputs, and what fills half
// of a cache line, so that no row lies in two.
const stride = 32

// lanes add up rows of bytes, four sums in each word: the compiler would add them
// one by one.
type lanes struct {
	even, odd [stride / 8]uint64
	rows      int32
}

const (
	// zero is the byte that stands for a weight of zero.
	zero = 128
	// mostRows is how many rows a sum of 16 bits has room for.
	mostRows = 1<<16/255 - 1
	lowBytes = 0x00ff00ff00ff00ff
)

// add adds a row, and reports that there is no room for another.
func (l *lanes) add(row *[stride]byte) (full bool) {
	for i := range l.even {
		word := binary.LittleEndian.Uint64(row[8*i:])
		l.even[i] += word & lowBytes
		l.odd[i] += word >> 8 & lowBytes
	}
	l.rows++
	return l.rows == mostRows
}

// drain moves the sums on.
func (l *lanes) drain(to *[stride]int32) {
	for i := range l.even {
		for lane := range 4 {
			to[8*i+2*lane] += int32(uint16(l.even[i]>>(16*lane))) - zero*l.rows  //nolint:gosec // one lane of 16 bits
			to[8*i+2*lane+1] += int32(uint16(l.odd[i]>>(16*lane))) - zero*l.rows //nolint:gosec // one lane of 16 bits
		}
	}
	*l = lanes{}
}
