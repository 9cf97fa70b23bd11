package selection

import (
	"fmt"
	"math"
	"slices"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// Catalogue is a configuration's models and virtual models, prepared for
// selection. It is never changed after New, so that any number of goroutines
// may use it.
type Catalogue struct {
	models     []*model // in configuration order
	byName     map[string]*model
	byUpstream map[string][]*model

	virtual       []*Virtual // in configuration order
	virtualByName map[string]*Virtual

	rules    []rule            // every `rejects` of the catalogue, each once
	families map[string]string // by API, the family of its default model

	marginMillionths int64 // selection.window_margin
	reservedOutput   int64
	expectedOutput   int64
}

// model is a catalogue entry with what selection asks of it at hand.
type model struct {
	*configv1.Model

	tier      decision.Tier
	can       conversation.Capabilities
	rejects   []int // indices into Catalogue.rules
	window    int64
	maxOutput int64 // 0: not limited
	// holdsState is its cluster's holds_state.
	holdsState bool

	// weakTools is the reason against requests with tools; empty where
	// tool_proficiency suffices.
	weakTools string
}

// New prepares a configuration. It fails only on one that did not come from
// config.Load or config.Parse.
func New(cfg *config.Config) (*Catalogue, error) {
	settings := cfg.GetSelection()
	c := &Catalogue{
		byName:           make(map[string]*model, len(cfg.GetModels())),
		byUpstream:       make(map[string][]*model, len(cfg.GetModels())),
		virtualByName:    make(map[string]*Virtual, len(cfg.GetVirtualModels())),
		families:         make(map[string]string),
		marginMillionths: int64(math.Round(settings.GetWindowMargin() * 1e6)),
		reservedOutput:   int64(settings.GetReservedOutputTokens()),
		expectedOutput:   int64(settings.GetExpectedOutputTokens()),
	}
	for _, entry := range cfg.GetModels() {
		if err := c.addModel(cfg, entry); err != nil {
			return nil, fmt.Errorf("model %s: %w", entry.GetName(), err)
		}
		for _, api := range entry.GetApis() {
			c.families[api] = cfg.DefaultModel(api).GetFamily()
		}
	}
	for _, entry := range cfg.GetVirtualModels() {
		if err := c.addVirtual(entry); err != nil {
			return nil, fmt.Errorf("virtual model %s: %w", entry.GetName(), err)
		}
	}
	return c, nil
}

func (c *Catalogue) addModel(cfg *config.Config, entry *configv1.Model) error {
	tier, err := decision.ParseTier(entry.GetTier())
	if err != nil {
		return err
	}
	m := &model{
		Model:     entry,
		tier:      tier,
		can:       capabilities(entry.GetCapabilities()),
		window:    int64(entry.GetContextWindow()),
		maxOutput: int64(entry.GetMaxOutputTokens()),
		weakTools: proficiencyReason(entry.GetToolProficiency(), cfg.GetSelection().GetMinToolProficiency()),

		holdsState: cfg.Cluster(entry.GetCluster()).GetHoldsState(),
	}
	for _, text := range entry.GetRejects() {
		m.rejects = append(m.rejects, c.addRule(text))
	}
	c.models = append(c.models, m)
	c.byName[entry.GetName()] = m
	c.byUpstream[entry.GetUpstreamModel()] = append(c.byUpstream[entry.GetUpstreamModel()], m)
	return nil
}

// addRule returns the index of a rule, adding it where it is new.
func (c *Catalogue) addRule(text string) int {
	added := parseRule(text)
	if i := slices.Index(c.rules, added); i >= 0 {
		return i
	}
	c.rules = append(c.rules, added)
	return len(c.rules) - 1
}

func (c *Catalogue) addVirtual(entry *configv1.VirtualModel) error {
	lowest, err := decision.ParseTier(entry.GetMinTier())
	if err != nil {
		return err
	}
	highest, err := decision.ParseTier(entry.GetMaxTier())
	if err != nil {
		return err
	}
	v := &Virtual{
		Name:       entry.GetName(),
		aliases:    entry.GetAliases(),
		candidates: c.candidates(entry.GetModels()),
		lowest:     lowest,
		highest:    highest,
		percent:    int(entry.GetRolloutPercent()),
	}
	c.virtual = append(c.virtual, v)
	c.virtualByName[v.Name] = v
	return nil
}

// candidates returns the named models, or all, in the catalogue's order: the
// order of a virtual model's list carries no preference.
func (c *Catalogue) candidates(names []string) []*model {
	if len(names) == 0 {
		return c.models
	}
	var named []*model
	for _, m := range c.models {
		if slices.Contains(names, m.GetName()) {
			named = append(named, m)
		}
	}
	return named
}

func (m *model) speaks(api conversation.API) bool { return slices.Contains(m.GetApis(), string(api)) }
