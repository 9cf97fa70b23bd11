package envoy

import (
	"slices"

	aiv3 "github.com/envoyproxy/go-control-plane/envoy/type/ai/v3"

	"github.com/pointsman/pointsman/filter/conversation"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// api is an endpoint of an LLM API that pointsman reads.
type api struct{ conversation.Endpoint }

// protocols is what Envoy calls the APIs when it reads token usage.
var protocols = map[conversation.API]aiv3.LLMProtocol{
	conversation.OpenAIChat:        aiv3.LLMProtocol_OPENAI_CHAT_COMPLETIONS,
	conversation.OpenAIResponses:   aiv3.LLMProtocol_OPENAI_RESPONSES,
	conversation.AnthropicMessages: aiv3.LLMProtocol_ANTHROPIC_MESSAGES,
}

// label begins the names of its routes.
func (a api) label() string {
	switch a.Task {
	case conversation.CountTokens:
		return string(a.API) + "/count_tokens"
	case conversation.Compact:
		return string(a.API) + "/compact"
	case conversation.Answer:
	}
	return string(a.API)
}

// usesTokens reports whether its answers tell what they cost.
func (a api) usesTokens() bool { return a.Task != conversation.CountTokens }

// apisInUse lists the endpoints of the APIs that some model speaks. The others
// have no landing route: their requests pass untouched.
func (g *generator) apisInUse() []api {
	var used []api
	for _, endpoint := range conversation.Endpoints() {
		if g.DefaultModel(string(endpoint.API)) != nil {
			used = append(used, api{endpoint})
		}
	}
	return used
}

// defaultModel is the one for an endpoint's API.
func (g *generator) defaultModel(api api) *configv1.Model { return g.DefaultModel(string(api.API)) }

// modelsOf lists the models that speak an API.
func (g *generator) modelsOf(api api) []*configv1.Model {
	var models []*configv1.Model
	for _, model := range g.GetModels() {
		if slices.Contains(model.GetApis(), string(api.API)) {
			models = append(models, model)
		}
	}
	return models
}
