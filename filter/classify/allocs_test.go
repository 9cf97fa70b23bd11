//go:build !race

package classify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/decision"
)

// The race detector has pools forget what they hold, at random.

func TestClassifyAllocatesNothingForABareMessage(t *testing.T) { //nolint:paralleltest // AllocsPerRun forbids it
	classifier := New(decision.Medium, true)
	in := Input{Message: strings.Repeat(hardQuestion+"\n", 30)}
	assert.Zero(t, testing.AllocsPerRun(100, func() { classifier.Classify(in, Hints{}) }))
}
