package envoy

import (
	"slices"

	aiv3 "github.com/envoyproxy/go-control-plane/envoy/type/ai/v3"

	"github.com/pointsman/pointsman/filter/conversation"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// api is an endpoint of an LLM API that pointsman reads.
type api struct {
	conversation.API

	// path is how its request paths end. Whatever stands before it is the
	// client's or the provider's own.
	path string
}

// protocols is what Envoy calls the APIs when it reads token usage.
var protocols = map[conversation.API]aiv3.LLMProtocol{
	conversation.OpenAIChat: aiv3.LLMProtocol_OPENAI_CHAT_COMPLETIONS,
}

// name is the API's name in the configuration.
func (a api) name() string { return string(a.API) }

// apisInUse lists the endpoints of the APIs that some model speaks. An API that
// is not built has none, and so no landing route: its requests pass untouched.
func (g *generator) apisInUse() []api {
	var used []api
	for _, endpoint := range conversation.Endpoints() {
		if g.DefaultModel(string(endpoint.API)) != nil {
			used = append(used, api{endpoint.API, endpoint.Path})
		}
	}
	return used
}

// modelsOf lists the models that speak an API.
func (g *generator) modelsOf(api api) []*configv1.Model {
	var models []*configv1.Model
	for _, model := range g.GetModels() {
		if slices.Contains(model.GetApis(), api.name()) {
			models = append(models, model)
		}
	}
	return models
}
