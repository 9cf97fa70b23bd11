package config

import (
	"strings"

	"github.com/pointsman/pointsman/filter/decision"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

func (c checker) virtualModels() {
	unique(c.problems, "virtual_models", c.GetVirtualModels())
	for i, virtual := range c.GetVirtualModels() {
		key := item("virtual_models", i)
		c.candidates(child(key, "models"), virtual.GetModels())
		c.tiers(key, virtual)
		c.shadow(key, virtual)
	}
	c.aliases()
	c.missingModel()
}

func (c checker) candidates(key string, models []string) {
	first := make(map[string]int, len(models))
	for i, name := range models {
		c.reference(item(key, i), name)
		if earlier, ok := first[name]; ok {
			c.addf(item(key, i), "%s is listed twice, first at %s: keep one", quote(name), item(key, earlier))
			continue
		}
		first[name] = i
	}
}

func (c checker) tiers(key string, virtual *configv1.VirtualModel) {
	lowest, errLowest := decision.ParseTier(virtual.GetMinTier())
	highest, errHighest := decision.ParseTier(virtual.GetMaxTier())
	if errLowest != nil || errHighest != nil || highest == decision.NoTier {
		return // the schema's rules report unknown tiers
	}
	if lowest > highest {
		c.addf(child(key, "min_tier"), "must not be above max_tier (is %s, and max_tier is %s)", lowest, highest)
	}
}

// shadow refuses a virtual model in shadow that no request can pass through: a
// shadowed request goes out with the model that the client asked for, which
// must then be one of the catalogue.
func (c checker) shadow(key string, virtual *configv1.VirtualModel) {
	if shadows(virtual) && len(virtual.GetAliases()) == 0 && virtual.GetName() != "" && c.complete() && !c.inCatalogue(virtual.GetName()) {
		c.addf(key, "is in shadow for %d%% of sessions, which send the model they ask for, and no model is called %s: "+
			"add aliases that match the models' names, or name it like a model",
			wholePercent-rolloutPercent(virtual), quote(virtual.GetName()))
	}
}

func shadows(virtual *configv1.VirtualModel) bool { return rolloutPercent(virtual) < wholePercent }

func (c checker) inCatalogue(name string) bool {
	for _, model := range c.GetModels() {
		if model.GetName() == name || upstreamModel(model) == name {
			return true
		}
	}
	return false
}

// aliases refuses those that can never be matched: names come before aliases,
// and aliases are tried in the order of the file.
func (c checker) aliases() {
	named := make(map[string]string)
	for i, virtual := range c.GetVirtualModels() {
		named[virtual.GetName()] = item("virtual_models", i)
	}
	var earlier []alias
	for i, virtual := range c.GetVirtualModels() {
		for j, pattern := range virtual.GetAliases() {
			own := alias{pattern, item(child(item("virtual_models", i), "aliases"), j), i}
			if owner, ok := named[pattern]; ok {
				c.addf(own.key, "%s is already the name of %s: remove the alias", quote(pattern), owner)
			}
			c.reachable(own, earlier)
			earlier = append(earlier, own)
		}
	}
}

type alias struct {
	pattern, key string
	owner        int // index of its virtual model
}

func (c checker) reachable(own alias, earlier []alias) {
	for _, other := range earlier {
		switch {
		case other.pattern == own.pattern:
			c.addf(own.key, "%s is already %s: keep one", quote(own.pattern), other.key)
			return
		case other.owner != own.owner && covers(other.pattern, own.pattern):
			c.addf(own.key, "%s is never reached, since %s (%s) matches all of it first: put this virtual model before that one",
				quote(own.pattern), other.key, quote(other.pattern))
			return
		}
	}
}

// covers reports whether pattern matches everything that other matches: `*`
// takes any run of other's characters, its wildcards included; `?` takes any
// one, but no `*`; every other character takes itself.
func covers(pattern, other string) bool {
	if !strings.Contains(pattern, "*") && !strings.Contains(pattern, "?") {
		return pattern == other
	}
	p, o := []rune(pattern), []rune(other)
	at, star, resume := 0, -1, 0
	for i := 0; i < len(o); {
		switch {
		case at < len(p) && p[at] == '*':
			star, resume = at, i
			at++
		case at < len(p) && o[i] != '*' && (p[at] == '?' || p[at] == o[i] && o[i] != '?'):
			at++
			i++
		case star >= 0:
			resume++
			at, i = star+1, resume
		default:
			return false
		}
	}
	for at < len(p) && p[at] == '*' {
		at++
	}
	return at == len(p)
}

func (c checker) missingModel() {
	const key = "missing_model"
	name := c.GetMissingModel()
	if name == "" || len(names(c.GetVirtualModels())) < len(c.GetVirtualModels()) {
		return
	}
	switch virtual := find(c.GetVirtualModels(), name); {
	case virtual == nil && c.model(name) != nil:
		c.addf(key, "must be a virtual model, and %s is a catalogue model: add a virtual model with models: [%s]", quote(name), name)
	case virtual == nil:
		c.addf(key, "%s", missing("virtual model", name, names(c.GetVirtualModels())))
	case shadows(virtual):
		c.addf(key, "%s is in shadow, and a request without a model cannot go out as it came: name one that enforces", quote(name))
	}
}
