package replay

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// written is the array that pieces are sent in.
func written(pieces []*piece) []byte {
	raws := make([][]byte, len(pieces))
	for i, p := range pieces {
		raws[i] = p.raw
	}
	return append(append([]byte{'['}, bytes.Join(raws, []byte{','})...), ']')
}

// naiveUsage reads from the cache what a request has in common with the one
// before, byte by byte.
func naiveUsage(before, sent []byte) usage {
	common := 0
	for common < min(len(before), len(sent)) && before[common] == sent[common] {
		common++
	}
	return usage{read: int64(common), written: int64(len(sent) - common)}
}

func TestMeter_ReadsTheLongestCommonPrefixFromTheCache(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		var m meter
		var before []byte
		sent := []*piece{}
		for range 12 {
			sent = changedAtRandom(random, sent)
			got, kept := m.next(sent)
			bytesSent := written(sent)
			want := naiveUsage(before, bytesSent)
			assert.Equal(t, want, got, "%s after %s", bytesSent, before)
			assert.EqualValues(t, len(bytesSent), got.total())
			assert.LessOrEqual(t, kept, len(sent))
			before = bytesSent
		}
	}
}

// changedAtRandom is a request after another one: pieces are added, and some are
// written anew, maybe to the same.
func changedAtRandom(random *rand.Rand, sent []*piece) []*piece {
	next := append([]*piece{}, sent...)
	for i := range next {
		if random.IntN(8) == 0 {
			next[i] = &piece{raw: fmt.Appendf(nil, `{"a":%d}`, random.IntN(120))}
		}
	}
	for range 1 + random.IntN(3) {
		next = append(next, &piece{raw: fmt.Appendf(nil, `{"a":%d}`, random.IntN(120))})
	}
	if random.IntN(6) == 0 {
		next = next[:1+random.IntN(len(next))]
	}
	return next
}

func TestUsage_CostsByTheRegime(t *testing.T) {
	t.Parallel()
	u := usage{read: 400, written: 40}
	assert.InDelta(t, 0.1*100+1.25*10, u.cost(Regime{0.1, 1.25}), 1e-9)
	assert.InDelta(t, 110, u.cost(Regime{1, 1}), 1e-9)
	assert.EqualValues(t, 110, u.tokens())
	assert.Equal(t, usage{read: 401, written: 42}, u.plus(usage{read: 1, written: 2}))
}

func TestSaved_IsRelativeToTheBase(t *testing.T) {
	t.Parallel()
	assert.InDelta(t, 25, saved(100, 75), 1e-9)
	assert.InDelta(t, -110, saved(100, 210), 1e-9)
	assert.Zero(t, saved(0, 0))
}
