package dialect_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/dialect"
)

func TestErrorIsWrittenInTheClientsDialect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		api     conversation.API
		problem dialect.Problem
		status  int
		body    string
	}{
		"OpenAI": {
			conversation.OpenAIChat,
			dialect.Problem{Status: 404, Code: "model_not_found", Param: "model", Message: `no "x"`},
			404, `{"error":{"message":"no \"x\"","type":"invalid_request_error","param":"model","code":"model_not_found"}}`,
		},
		"OpenAI, nothing to name": {
			conversation.OpenAIResponses,
			dialect.Problem{Status: 503, Message: "busy <b>"},
			503, `{"error":{"message":"busy <b>","type":"server_error","param":null,"code":null}}`,
		},
		"OpenAI, too long": {
			conversation.OpenAIResponses,
			dialect.Problem{Status: 400, Code: dialect.CodeContextLength, Param: "input", Message: "m", Tokens: 9, Maximum: 5},
			400, `{"error":{"message":"m","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}`,
		},
		"Anthropic":           {conversation.AnthropicMessages, dialect.Problem{Status: 400, Code: "c", Param: "p", Message: "m"}, 400, anthropicBody("invalid_request_error", "m")},
		"Anthropic, unknown":  {conversation.AnthropicMessages, dialect.Problem{Status: 404, Message: "m"}, 404, anthropicBody("not_found_error", "m")},
		"Anthropic, large":    {conversation.AnthropicMessages, dialect.Problem{Status: 413, Message: "m"}, 413, anthropicBody("request_too_large", "m")},
		"Anthropic, encoded":  {conversation.AnthropicMessages, dialect.Problem{Status: 415, Message: "m"}, 415, anthropicBody("invalid_request_error", "m")},
		"Anthropic, upgrade":  {conversation.AnthropicMessages, dialect.Problem{Status: 426, Message: "m"}, 426, anthropicBody("invalid_request_error", "m")},
		"Anthropic, internal": {conversation.AnthropicMessages, dialect.Problem{Status: 500, Message: "m"}, 500, anthropicBody("api_error", "m")},
		"Anthropic, busy":     {conversation.AnthropicMessages, dialect.Problem{Status: 503, Message: "m"}, 529, anthropicBody("overloaded_error", "m")},
		"Anthropic, late":     {conversation.AnthropicMessages, dialect.Problem{Status: 504, Message: "m"}, 504, anthropicBody("api_error", "m")},
		"Anthropic, too long": {
			conversation.AnthropicMessages,
			dialect.Problem{Status: 400, Code: dialect.CodeContextLength, Message: "m", Tokens: 210_000, Maximum: 200_000},
			400, anthropicBody("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
		},
		"Anthropic, an answer too long": {
			conversation.AnthropicMessages,
			dialect.Problem{Status: 400, Code: dialect.CodeContextLength, Message: "m"},
			400, anthropicBody("invalid_request_error", "m"),
		},
	} {
		got := dialect.Error(c.api, c.problem)
		assert.Equal(t, c.status, got.Status, name)
		assert.Equal(t, c.body, string(got.Body), name)
	}
}

func anthropicBody(kind, message string) string {
	return `{"type":"error","error":{"type":"` + kind + `","message":"` + message + `"}}`
}

// anthropicClient is the official library, answered with a response.
func anthropicClient(t *testing.T, response dialect.Response) anthropic.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("content-type", dialect.ContentType)
		w.WriteHeader(response.Status)
		_, _ = w.Write(response.Body)
	}))
	t.Cleanup(server.Close)
	return anthropic.NewClient(anthropicoption.WithBaseURL(server.URL), anthropicoption.WithAPIKey("k"), anthropicoption.WithMaxRetries(0))
}

func TestAnthropicErrorsAreErrorsOfTheOfficialLibrary(t *testing.T) {
	t.Parallel()
	client := anthropicClient(t, dialect.Error(conversation.AnthropicMessages, dialect.Problem{Status: 404, Message: "unknown model"}))
	_, err := client.Messages.New(t.Context(), anthropic.MessageNewParams{MaxTokens: 1})
	failure, ok := errors.AsType[*anthropic.Error](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, 404, failure.StatusCode)
	assert.EqualValues(t, "not_found_error", failure.Type())
}

func TestAnthropicModelsAreAPageOfTheOfficialLibrary(t *testing.T) {
	t.Parallel()
	client := anthropicClient(t, dialect.Models(conversation.AnthropicMessages, []dialect.Model{{ID: "auto", ContextWindow: 9}, {ID: "deep"}}))
	page, err := client.Models.List(t.Context(), anthropic.ModelListParams{})
	require.NoError(t, err)
	require.Len(t, page.Data, 2)
	assert.Equal(t, "auto", page.Data[0].ID)
	assert.Equal(t, "auto", page.Data[0].DisplayName)
	assert.False(t, page.HasMore)
	assert.Equal(t, []string{"auto", "deep"}, []string{page.FirstID, page.LastID})
}

func TestModelsStandInDataAndInModels(t *testing.T) {
	t.Parallel()
	for _, api := range []conversation.API{conversation.OpenAIChat, conversation.AnthropicMessages} {
		var list map[string]any
		require.NoError(t, json.Unmarshal(dialect.Models(api, []dialect.Model{{ID: "auto", ContextWindow: 9}}).Body, &list))
		assert.Equal(t, list["data"], list["models"])
		entries, _ := list["data"].([]any)
		require.Len(t, entries, 1)
		entry, _ := entries[0].(map[string]any)
		assert.Equal(t, "auto", entry["id"])
		assert.InDelta(t, 9, entry["context_window"], 0)
	}
	assert.JSONEq(t, `{"data":[],"has_more":false,"first_id":null,"last_id":null,"models":[]}`,
		string(dialect.Models(conversation.AnthropicMessages, nil).Body))
}
