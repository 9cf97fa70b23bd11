package classify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
)

var update = flag.Bool("update", false, "write what is measured to testdata")

func TestStampChangesWithTheWeights(t *testing.T) {
	t.Parallel()
	assert.Len(t, Stamp(), 12)
	assert.Equal(t, Stamp(), stampOf(weightsFile))
	other := bytes.Clone(weightsFile)
	other[len(other)-1]++
	assert.NotEqual(t, Stamp(), stampOf(other))
}

// TestStampChangesWithTheAnswers fails when the answers about some turns have
// changed and the stamp has not: then revision has to be raised.
func TestStampChangesWithTheAnswers(t *testing.T) {
	t.Parallel()
	const file = "testdata/stamp.txt"
	hash := sha256.New()
	for _, turn := range readTurns(t, "testdata/gold.jsonl") {
		got := New(decision.Medium, true).Classify(Input{Message: turn.Message, PriorTurn: turn.Prior}, Hints{})
		_, err := fmt.Fprintf(hash, "%s %s %.3f %.3f\n", got.Tier, got.Category, got.Difficulty, got.Confidence)
		require.NoError(t, err)
	}
	got := fmt.Sprintf("stamp %s\nanswers %s\n", Stamp(), hex.EncodeToString(hash.Sum(nil)))
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "the classifier changed: where only the answers differ, raise revision; then run with -update")
}
