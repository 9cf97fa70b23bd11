package config

import (
	"slices"
	"strings"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// defaultModels checks that each API that a model speaks has a default model
// that speaks it: the landing route of an API must lead somewhere when
// pointsman is down.
func (c checker) defaultModels() {
	if name := c.GetDefaultModel(); name != "" {
		c.reference("default_model", name)
	}
	for api, name := range c.GetDefaultModelByApi() {
		key := child("default_model_by_api", api)
		c.reference(key, name)
		if model := c.model(name); model != nil && !speaks(model, api) {
			c.addf(key, "%s does not speak %s: %s", name, api, c.remedy(api))
		}
	}
	if _, ok := c.lines["default_model_by_api"]; !ok {
		c.lines["default_model_by_api"] = c.lines["default_model"] // the place to look at
	}
	fallback := c.model(c.GetDefaultModel())
	for _, api := range apisInUse(c.Config) {
		if _, named := c.GetDefaultModelByApi()[api]; named || fallback == nil || speaks(fallback, api) {
			continue
		}
		c.addf(child("default_model_by_api", api), "must be set, since default_model (%s) does not speak %s: %s",
			fallback.GetName(), api, c.remedy(api))
	}
}

// remedy says what to write as the default model of an API.
func (c checker) remedy(api string) string {
	var speakers []string
	for _, model := range c.GetModels() {
		if speaks(model, api) && model.GetName() != "" {
			speakers = append(speakers, model.GetName())
		}
	}
	const few = 5
	switch {
	case len(speakers) == 0:
		return "no model does, so leave the line out"
	case len(speakers) > few:
		return "name a model that does, such as " + strings.Join(speakers[:few], ", ")
	default:
		return "name " + either(speakers)
	}
}

func speaks(model *configv1.Model, api string) bool { return slices.Contains(model.GetApis(), api) }

// apisInUse lists the APIs that any model speaks, in the order of the models.
func apisInUse(c *configv1.Config) []string {
	var apis []string
	for _, model := range c.GetModels() {
		for _, api := range model.GetApis() {
			if !slices.Contains(apis, api) {
				apis = append(apis, api)
			}
		}
	}
	return apis
}
