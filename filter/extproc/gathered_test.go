package extproc

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGatheredHasEveryPieceInOrder(t *testing.T) {
	t.Parallel()
	for _, announced := range []int{0, 1, 700_000, 1 << 30} {
		var whole []byte
		var body gathered
		assert.Empty(t, body.bytes())
		for i := range 200 {
			piece := bytes.Repeat([]byte{byte(i)}, 37*i)
			whole = append(whole, piece...)
			body.write(piece, announced)
		}
		assert.True(t, bytes.Equal(whole, body.bytes()), "%d announced", announced)
		body.free()
		assert.Empty(t, body.bytes())
	}
}

// A client that announces much and sends little holds no more than little.
func TestGatheredTakesNoMoreThanFourTimesWhatHasCome(t *testing.T) {
	t.Parallel()
	var body gathered
	body.write(make([]byte, 10_000), 1<<30)
	assert.LessOrEqual(t, cap(*body.lent), 50_000)
	body.free()
	body.write(make([]byte, 10_000), 30_000)
	assert.GreaterOrEqual(t, cap(*body.lent), 30_000, "what is announced comes without being copied again")
	body.free()
}
