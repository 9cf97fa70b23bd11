package config

import (
	"slices"
	"strconv"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// complete reports whether the names of all models are known. Where they are
// not, a name that is missing is probably that of a model that could not be
// read.
func (c checker) complete() bool {
	return len(c.GetModels()) > 0 && len(names(c.GetModels())) == len(c.GetModels())
}

// model is the catalogue model called name, or nil.
func (c checker) model(name string) *configv1.Model { return find(c.GetModels(), name) }

// reference reports a name that no model has, where all names are known.
func (c checker) reference(key, name string) {
	if c.complete() && c.model(name) == nil {
		c.addf(key, "%s", missing("model", name, names(c.GetModels())))
	}
}

func (c checker) models() {
	unique(c.problems, "models", c.GetModels())
	for i, model := range c.GetModels() {
		key := item("models", i)
		c.cluster(child(key, "cluster"), model.GetCluster())
		c.twin(child(key, "name"), i)
		if window, most := model.GetContextWindow(), model.GetMaxOutputTokens(); window > 0 && most > window {
			c.addf(child(key, "max_output_tokens"), "must be at most context_window (is %d, and context_window is %d)", most, window)
		}
		c.price(child(key, "price"), model.GetPrice())
	}
}

// twin refuses a name that is what another model sends upstream, while the
// model itself sends something else: a client that asks for it would get
// another model than the one it knows by that name.
func (c checker) twin(key string, index int) {
	model := c.GetModels()[index]
	if upstreamModel(model) == model.GetName() || model.GetName() == "" {
		return
	}
	for i, other := range c.GetModels() {
		if i != index && upstreamModel(other) == model.GetName() {
			c.addf(key, "is what %s sends upstream, while this model sends %s: rename this one, or a client that asks for %s gets %s",
				item("models", i), quote(upstreamModel(model)), quote(model.GetName()), quote(upstreamModel(model)))
			return
		}
	}
}

// perToken is the price, in USD per million tokens, below which a price is one
// per token by mistake. The cheapest models sold cost a hundred times as much.
const perToken = 0.0001

func (c checker) price(key string, price *configv1.Price) {
	c.perMillion(child(key, "input"), price.GetInput())
	c.perMillion(child(key, "cached_input"), price.GetCachedInput())
	c.perMillion(child(key, "cache_write"), price.GetCacheWrite())
	c.perMillion(child(key, "output"), price.GetOutput())
	if price != nil && price.Input != nil && price.CachedInput != nil && price.GetCachedInput() > price.GetInput() {
		c.addf(child(key, "cached_input"), "must be at most input (is %s, and input is %s)",
			decimal(price.GetCachedInput()), decimal(price.GetInput()))
	}
}

func (c checker) perMillion(key string, price float64) {
	if price > 0 && price < perToken {
		c.addf(key, "is in USD per million tokens, and %s looks like a price per token: write %s", decimal(price), decimal(price*1e6))
	}
}

func (c checker) selection() {
	settings := c.GetSelection()
	fits := func(m *configv1.Model) bool {
		// A window below 1 is another problem.
		return m.GetContextWindow() < 1 || m.GetContextWindow() > settings.GetReservedOutputTokens()
	}
	if c.complete() && !slices.ContainsFunc(c.GetModels(), fits) {
		c.addf("selection.reserved_output_tokens",
			"must be below the context_window of at least one model, or no request without a limit of its own could be served (is %d)",
			settings.GetReservedOutputTokens())
	}
	best, withTools := 0.0, false
	for _, model := range c.GetModels() {
		if slices.Contains(model.GetCapabilities(), "tools") {
			best, withTools = max(best, model.GetToolProficiency()), true
		}
	}
	if withTools && settings.GetMinToolProficiency() > best {
		c.addf("selection.min_tool_proficiency",
			"must be at most the highest tool_proficiency of a model with tools, %s, or no request with tools could be served (is %s)",
			decimal(best), decimal(settings.GetMinToolProficiency()))
	}
}

// decimal writes a number as people do, without an exponent.
func decimal(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }
