package envoy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
)

// A request whose LLM classifier takes all the time that it may have is decided
// before Envoy has had enough of pointsman.
func TestMessageTimeout_IsLongerThanAnyLLMClassifierMayTake(t *testing.T) {
	t.Parallel()
	const rest = time.Second // for everything else that pointsman does
	const base = `
default_model: m
models: [{name: m, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 128000, price: {input: 1, output: 2}}]
classifier: {llm: {base_url: "http://127.0.0.1:81/v1", model: judge, timeout: `
	_, err := config.Parse("test.yaml", []byte(base+(messageTimeout-rest).String()+"}}"))
	require.NoError(t, err)
	_, err = config.Parse("test.yaml", []byte(base+(messageTimeout-rest+1).String()+"}}"))
	require.ErrorContains(t, err, "classifier.llm.timeout: must be greater than 0s and less than or equal to 9s")
}
