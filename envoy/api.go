package envoy

import (
	"slices"

	aiv3 "github.com/envoyproxy/go-control-plane/envoy/type/ai/v3"

	"github.com/pointsman/pointsman/filter/conversation"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// api is an LLM API that pointsman reads.
type api struct {
	conversation.API

	// path is how its request paths end. Whatever stands before it is the
	// client's or the provider's own.
	path string
	// protocol is what Envoy calls the API when it reads token usage.
	protocol aiv3.LLMProtocol
}

// apis lists the APIs that are built. One that is not has no landing route: its
// requests pass untouched.
var apis = []api{
	{conversation.OpenAIChat, "/v1/chat/completions", aiv3.LLMProtocol_OPENAI_CHAT_COMPLETIONS},
}

// name is the API's name in the configuration.
func (a api) name() string { return string(a.API) }

// apisInUse lists the built APIs that some model speaks.
func (g *generator) apisInUse() []api {
	var used []api
	for _, api := range apis {
		if g.DefaultModel(api.name()) != nil {
			used = append(used, api)
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
