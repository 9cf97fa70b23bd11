package dialect

import (
	"net/http"

	"github.com/pointsman/pointsman/filter/conversation"
)

// Model is an entry of the list of models.
type Model struct {
	// ID is what clients put into `model`.
	ID string
	// ContextWindow is what the largest model behind it takes, in tokens.
	ContextWindow int
}

// openAIModel is an entry as OpenAI's API reference has it; context_window is
// an addition that several gateways share and clients read where it is there.
type openAIModel struct {
	ID            string `json:"id"`
	Object        string `json:"object"`
	Created       int    `json:"created"`
	OwnedBy       string `json:"owned_by"`
	ContextWindow int    `json:"context_window"`
}

// openAIModels is the list. Some clients read `models` instead of `data`, so
// both are there, in Anthropic's form too.
type openAIModels struct {
	Object string        `json:"object"`
	Data   []openAIModel `json:"data"`
	Models []openAIModel `json:"models"`
}

// anthropicModel is an entry as Anthropic's API reference has it.
type anthropicModel struct {
	Type          string `json:"type"`
	ID            string `json:"id"`
	DisplayName   string `json:"display_name"`
	CreatedAt     string `json:"created_at"`
	ContextWindow int    `json:"context_window"`
}

// anthropicModels is its only page.
type anthropicModels struct {
	Data    []anthropicModel `json:"data"`
	HasMore bool             `json:"has_more"`
	FirstID *string          `json:"first_id"`
	LastID  *string          `json:"last_id"`
	Models  []anthropicModel `json:"models"`
}

// Models writes the list of models as an API has it.
func Models(api conversation.API, models []Model) Response {
	if api == conversation.AnthropicMessages {
		return Response{Status: http.StatusOK, Body: marshal(anthropicList(models))}
	}
	entries := make([]openAIModel, len(models))
	for i, m := range models {
		entries[i] = openAIModel{ID: m.ID, Object: "model", OwnedBy: "pointsman", ContextWindow: m.ContextWindow}
	}
	return Response{
		Status: http.StatusOK,
		Body:   marshal(openAIModels{Object: "list", Data: entries, Models: entries}),
	}
}

func anthropicList(models []Model) anthropicModels {
	entries := make([]anthropicModel, len(models))
	for i, m := range models {
		entries[i] = anthropicModel{
			Type: "model", ID: m.ID, DisplayName: m.ID, CreatedAt: "1970-01-01T00:00:00Z", ContextWindow: m.ContextWindow,
		}
	}
	list := anthropicModels{Data: entries, Models: entries}
	if len(models) > 0 {
		list.FirstID, list.LastID = &models[0].ID, &models[len(models)-1].ID
	}
	return list
}
