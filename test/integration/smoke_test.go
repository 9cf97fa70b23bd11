package integration

import (
	"net/http"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/test/provider"
)

func TestOfficialClientIsRoutedThroughAllContainers(t *testing.T) {
	t.Parallel()
	stack := shared(t)
	client := openai.NewClient(option.WithBaseURL(stack.URL+"/v1"), option.WithAPIKey("none"), option.WithMaxRetries(0))
	var raw *http.Response
	completion, err := client.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{
		Model:    "auto",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Hello! (smoke)")},
	}, option.WithResponseInto(&raw))
	require.NoError(t, err)
	selected := stack.Config.Model(raw.Header.Get(decision.HeaderModel))
	require.NotNil(t, selected, "the answer names the selected model: %v", raw.Header)
	assert.Equal(t, selected.GetCluster(), raw.Header.Get(provider.HeaderName))
	assert.Equal(t, selected.GetUpstreamModel(), completion.Model)
	assert.Contains(t, completion.Choices[0].Message.Content, "Hello! (smoke)")

	received, err := stack.Providers[selected.GetCluster()].Requests(t.Context(), "(smoke)")
	require.NoError(t, err)
	require.Len(t, received, 1)
	assert.Contains(t, string(received[0].Body), `"model":"`+selected.GetUpstreamModel()+`"`)

	record := stack.Record(t, raw.Header.Get(decision.HeaderDecision))
	assert.Equal(t, "answered", record.GetOutcome().GetKind())
	assert.Equal(t, selected.GetName(), record.GetDecision().GetModel())
	assert.EqualValues(t, completion.Usage.PromptTokens, record.GetUsage().GetInputTokens())
	stack.WaitForStat(t, "cluster."+selected.GetCluster()+".upstream_rq_200", 1)
}
