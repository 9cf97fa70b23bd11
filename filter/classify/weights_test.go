package classify

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDecodeReadsTheWeightsOfTheBinaryAndNoOthers(t *testing.T) {
	t.Parallel()
	w, err := decode(weightsFile)
	require.NoError(t, err)
	assert.Positive(t, w.settings.Temperature)
	cold := slices.Clone(weightsFile)
	clear(cold[:4]) // a temperature of zero, which would divide
	for _, file := range [][]byte{cold, nil, weightsFile[:100], weightsFile[:len(weightsFile)-1], append(slices.Clip(weightsFile), 0)} {
		_, err := decode(file)
		require.Error(t, err)
	}
}
