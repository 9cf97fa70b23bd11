package selection

import (
	"slices"

	"github.com/pointsman/pointsman/filter/conversation"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// Target is what a request's `model` means: exactly one of its fields is set.
type Target struct {
	// Virtual is the virtual model that chooses among its candidates.
	Virtual *Virtual
	// Pinned is the catalogue model that the client asked for by its own name.
	Pinned *configv1.Model
}

// Resolve finds what a name means for a request of an API. It looks, in this
// order, for a virtual model of that name; for one with an alias that matches
// it, the first in configuration order; for a catalogue model of that name; for
// one with that upstream model. Where several catalogue models fit, the first
// that speaks the API is meant.
//
// Its error is a *RefusedError: KindUnknownModel, or KindAPI for a catalogue model
// that does not speak the API.
func (c *Catalogue) Resolve(requested string, api conversation.API) (Target, error) {
	if v := c.virtualModel(requested); v != nil {
		return Target{Virtual: v}, nil
	}
	found := c.catalogueModels(requested)
	if len(found) == 0 {
		return Target{}, c.unknownModel(requested)
	}
	pinned, err := firstSpeaker(found, requested, api)
	return Target{Pinned: pinned}, err
}

// Asked finds the catalogue model to which a shadowed request goes: the one it
// asked for, by name or upstream model.
//
// Its error is a *RefusedError: KindShadow where the name means no catalogue model,
// KindAPI where it means one that does not speak the API.
func (c *Catalogue) Asked(v *Virtual, requested string, api conversation.API) (*configv1.Model, error) {
	found := c.catalogueModels(requested)
	if len(found) == 0 {
		return nil, shadowRefusal(v, requested)
	}
	return firstSpeaker(found, requested, api)
}

func (c *Catalogue) virtualModel(name string) *Virtual {
	if v, ok := c.virtualByName[name]; ok {
		return v
	}
	if i := slices.IndexFunc(c.virtual, func(v *Virtual) bool { return v.hasAlias(name) }); i >= 0 {
		return c.virtual[i]
	}
	return nil
}

// catalogueModels returns the models that a name can mean, the best first.
func (c *Catalogue) catalogueModels(name string) []*model {
	upstream := c.byUpstream[name]
	if m, ok := c.byName[name]; ok {
		return append([]*model{m}, upstream...)
	}
	return upstream
}

func firstSpeaker(found []*model, requested string, api conversation.API) (*configv1.Model, error) {
	for _, m := range found {
		if m.speaks(api) {
			return m.Model, nil
		}
	}
	return nil, pinnedAPIRefusal(found, requested, api)
}
