package dialect

import "net/http"

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
// both are there.
type openAIModels struct {
	Object string        `json:"object"`
	Data   []openAIModel `json:"data"`
	Models []openAIModel `json:"models"`
}

// Models writes the list of models.
func Models(models []Model) Response {
	entries := make([]openAIModel, len(models))
	for i, m := range models {
		entries[i] = openAIModel{ID: m.ID, Object: "model", OwnedBy: "pointsman", ContextWindow: m.ContextWindow}
	}
	return Response{
		Status: http.StatusOK,
		Body:   marshal(openAIModels{Object: "list", Data: entries, Models: entries}),
	}
}
