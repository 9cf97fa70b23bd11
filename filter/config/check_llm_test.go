package config_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
)

func withLLM(t *testing.T, more string) (*config.Config, error) {
	t.Helper()
	minimal, err := os.ReadFile("testdata/valid/minimal.yaml")
	require.NoError(t, err)
	return config.Parse("test.yaml", append(minimal, "classifier: {llm: {model: judge, "+more+"}}\n"...))
}

func TestLLM_TakesTheBaseURLsThatServersHave(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"https://api.example.com/v1", "https://api.example.com/v1/", "https://api.example.com", "http://127.0.0.1:8080/openai/v1beta",
		"http://[::1]:8080/v1", "HTTPS://api.example.com/v1",
	} {
		_, err := withLLM(t, `base_url: "`+address+`"`)
		assert.NoError(t, err, address)
	}
}

func TestLLM_RefusesBaseURLsWithoutRepeatingThem(t *testing.T) {
	t.Parallel()
	for _, refused := range [][2]string{
		{"api.example.com/v1", "it must begin with https:// or http://"},
		{"ftp://api.example.com/v1", "it must begin with https:// or http://"},
		{"https://", "it has no host"},
		{"https://:443/v1", "it has no host"},
		{"https://someone:s3cret@api.example.com/v1", "it holds a credential: put that into a file and name the file in api_key_file"},
		{"https://s3cret@api.example.com/v1", "it holds a credential: put that into a file and name the file in api_key_file"},
		{"https://api.example.com/v1?key=s3cret", "it has a query: leave it out, with everything from the ? on"},
		{"https://api.example.com/v1?", "it has a query: leave it out, with everything from the ? on"},
		{"https://api.example.com/v1#s3cret", "it has a fragment: leave it out, with everything from the # on"},
		{"https://api.example.com/v1/chat/completions", "it has that already: leave /chat/completions out"},
		{"https://s3cret:%zz@api.example.com", "it is no URL"},
	} {
		address, why := refused[0], refused[1]
		_, err := withLLM(t, `base_url: "`+address+`"`)
		require.EqualError(t, err, "test.yaml:9: classifier.llm.base_url: must be an address that /chat/completions is put behind, "+
			"such as https://api.example.com/v1 ("+why+")", address)
		assert.NotContains(t, err.Error(), "s3cret")
	}
}

func TestLLM_TimeoutIsASecondAndAHalfUnlessItIsSet(t *testing.T) {
	t.Parallel()
	loaded, err := withLLM(t, `base_url: "http://127.0.0.1:81/v1"`)
	require.NoError(t, err)
	assert.Equal(t, 1500*time.Millisecond, loaded.GetClassifier().GetLlm().GetTimeout().AsDuration())
	assert.Nil(t, loaded.GetClassifier().GetLlm().MinConfidence, "it is always asked")
	loaded, err = withLLM(t, `base_url: "http://127.0.0.1:81/v1", timeout: 9s`)
	require.NoError(t, err)
	assert.Equal(t, 9*time.Second, loaded.GetClassifier().GetLlm().GetTimeout().AsDuration())
}
