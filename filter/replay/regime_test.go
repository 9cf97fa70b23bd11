package replay

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRegimes_ReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	text, err := DefaultRegimes().MarshalText()
	require.NoError(t, err)
	assert.Equal(t, "0.1/1.25,0.1/1,0.5/1,1/1,0.1/2", string(text))
	var read Regimes
	require.NoError(t, read.UnmarshalText([]byte(" 0.1/1.25, 0.1/1,0.5/1,1/1 ,0.1/2")))
	assert.Equal(t, DefaultRegimes(), read)
}

func TestRegimes_SayWhatIsWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":            `"" must be two ratios to the input price, for reading and writing the cache, such as 0.1/1.25`,
		"0.1":         `"0.1" must be two ratios to the input price, for reading and writing the cache, such as 0.1/1.25`,
		"x/1":         `the ratio for reading the cache must be a number from 0 to 1 (is "x")`,
		"1.5/1":       `the ratio for reading the cache must be a number from 0 to 1 (is "1.5")`,
		"NaN/1":       `the ratio for reading the cache must be a number from 0 to 1 (is "NaN")`,
		"0.1/-1":      `the ratio for writing the cache must be a number from 0 to 10 (is "-1")`,
		"0.1/11":      `the ratio for writing the cache must be a number from 0 to 10 (is "11")`,
		"0.1/1,0.1/1": "0.1/1 stands twice",
	} {
		kept := Regimes{{1, 1}}
		require.EqualError(t, kept.UnmarshalText([]byte(text)), want)
		assert.Equal(t, Regimes{{1, 1}}, kept, text)
	}
}
