package sdk

import (
	"encoding/json"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/stretchr/testify/require"
)

// An asker sends some turns of a session and returns the answer.
type asker func(t *testing.T, base string, s session, turns int) said

func TestPrune_GosSessionsKeepAllButOldResults(t *testing.T) {
	t.Parallel()
	asks := map[string]asker{"chat": askChat, "responses": askResponses, "messages": askMessages, "sealed": askMessages}
	all := sessions(3)
	chat := chatSession(chatText)
	chat.Steps = all["chat"].Steps
	all["chat"] = chat
	assertPruned(t, pruning.visit(), all, func(t *testing.T, url string) map[string][]said {
		t.Helper()
		answers := map[string][]said{}
		for name, s := range all {
			for _, turns := range s.Steps {
				answers[name] = append(answers[name], asks[name](t, url+"/"+name, s, turns))
			}
		}
		return answers
	})
}

// typed are turns as the library's own types have them.
func typed[T any](t *testing.T, value any) (made T) {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &made))
	return made
}

func askChat(t *testing.T, base string, s session, turns int) said {
	t.Helper()
	client := openai.NewClient(openaioption.WithBaseURL(base+"/v1"), openaioption.WithAPIKey("of-the-client"), openaioption.WithMaxRetries(0))
	params := typed[openai.ChatCompletionNewParams](t, with(object{"model": "auto", "messages": s.Turns[:turns]}, s.More))
	answer, err := client.Chat.Completions.New(t.Context(), params)
	require.NoError(t, err)
	return said{answer.Model, answer.Choices[0].Message.Content}
}

func askResponses(t *testing.T, base string, s session, turns int) said {
	t.Helper()
	client := openai.NewClient(openaioption.WithBaseURL(base+"/v1"), openaioption.WithAPIKey("of-the-client"), openaioption.WithMaxRetries(0))
	params := typed[responses.ResponseNewParams](t, with(object{"model": "auto"}, s.More))
	params.Input.OfInputItemList = typed[responses.ResponseInputParam](t, s.Turns[:turns])
	answer, err := client.Responses.New(t.Context(), params)
	require.NoError(t, err)
	return said{answer.Model, answer.OutputText()}
}

func askMessages(t *testing.T, base string, s session, turns int) said {
	t.Helper()
	client := anthropic.NewClient(anthropicoption.WithBaseURL(base), anthropicoption.WithAPIKey("of-the-client"), anthropicoption.WithMaxRetries(0))
	params := typed[anthropic.MessageNewParams](t, with(object{"model": "auto", "messages": s.Turns[:turns]}, s.More))
	answer, err := client.Messages.New(t.Context(), params)
	require.NoError(t, err)
	return said{answer.Model, answer.Content[0].Text}
}
