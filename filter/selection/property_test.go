package selection_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/selection"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// The properties are checked on this many random catalogues and requests, each
// with a seed of its own that a failure names.
const cases = 3000

// each runs check with random catalogues and requests.
func each(t *testing.T, check func(t *testing.T, r *rand.Rand, cfg *config.Config, work selection.Work)) {
	t.Helper()
	refused := 0
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 0))
		cfg, work := randomConfig(r), randomWork(r)
		check(t, r, cfg, work)
		if _, err := choose(t, cfg, work); err != nil {
			refused++
		}
		require.False(t, t.Failed(), "seed %d", seed)
	}
	assert.Greater(t, refused, cases/20, "the random requests never meet a filter")
	assert.Less(t, refused, cases/2, "the random requests hardly ever pass")
}

func choose(tb testing.TB, cfg *config.Config, work selection.Work) (selection.Result, error) {
	tb.Helper()
	c, err := selection.New(cfg)
	require.NoError(tb, err)
	return c.Select(resolve(tb, c, "auto"), work)
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func subset(r *rand.Rand, from ...string) []string {
	return slices.DeleteFunc(slices.Clone(from), func(string) bool { return r.IntN(3) == 0 })
}

// randomConfig has the defaults that matter filled in, as config.Parse does it.
func randomConfig(r *rand.Rand) *config.Config {
	cfg := &configv1.Config{
		DefaultModelByApi: map[string]string{string(chat): "m0"},
		VirtualModels:     []*configv1.VirtualModel{{Name: new("auto")}},
		Clusters:          []*configv1.Cluster{{Name: new("c")}, {Name: new("h"), HoldsState: new(true)}},
		Selection: &configv1.Selection{
			MinToolProficiency: new(pick(r, 0, 0, 0.5)),
			WindowMargin:       new(pick(r, 0, 0.05, 0.1, 0.333)),
		},
	}
	for i := range 1 + r.IntN(8) {
		cfg.Models = append(cfg.Models, randomModel(r, fmt.Sprintf("m%d", i)))
	}
	return &config.Config{Config: cfg}
}

func randomModel(r *rand.Rand, name string) *configv1.Model {
	return &configv1.Model{
		Name: &name, UpstreamModel: &name, Cluster: new(pick(r, "c", "h")),
		Family:          new(pick(r, "a", "a", "b")),
		Apis:            append(subset(r, string(conversation.OpenAIResponses)), pick(r, string(chat), string(chat), string(conversation.AnthropicMessages))),
		Tier:            new(pick(r, "simple", "medium", "complex", "reasoning")),
		ContextWindow:   new(pick[int32](r, 8_000, 32_000, 128_000)),
		MaxOutputTokens: pick(r, nil, new(int32(1000)), new(int32(4000))),
		Capabilities:    subset(r, "tools", "vision", "documents", "json_schema"),
		ToolProficiency: new(pick(r, 0.2, 0.5, 1)),
		Rejects:         pick(r, nil, []string{"logprobs"}, []string{"thinking.type=disabled", "logprobs"}),
		Price:           &configv1.Price{Input: new(pick(r, 0, 0.1, 1, 3)), Output: new(pick(r, 0.4, 2, 15))},
	}
}

func randomWork(r *rand.Rand) selection.Work {
	return selection.Work{
		API:             chat,
		Tier:            decision.Tier(1 + r.IntN(4)),
		PromptTokens:    pick(r, 0, 100, r.IntN(8_000), r.IntN(130_000)),
		Needs:           conversation.Capabilities(pick(r, 0, 0, 1, r.IntN(32))),
		HeldState:       pick(r, "", "", "", "", "", "conversation"),
		AnyWindow:       r.IntN(8) == 0,
		RequestedOutput: pick(r, 0, 100, r.IntN(5_000)),
		Parameter: parameters(pick(r, nil, nil, map[string]string{"logprobs": "true"},
			map[string]string{"thinking.type": "enabled"}, map[string]string{"thinking.type": "disabled"})),
	}
}

// passes says in the words of the documentation, and in exact arithmetic,
// whether a model can take a request.
func passes(cfg *config.Config, m *configv1.Model, work selection.Work) bool {
	for need, name := range map[conversation.Capabilities]string{
		conversation.Tools: "tools", conversation.Vision: "vision",
		conversation.Documents: "documents", conversation.JSONSchema: "json_schema",
	} {
		if work.Needs.Has(need) && !slices.Contains(m.GetCapabilities(), name) {
			return false
		}
	}
	_, logprobs := work.Parameter("logprobs")
	thinking, _ := work.Parameter("thinking.type")
	switch {
	case !slices.Contains(m.GetApis(), string(work.API)):
	case work.HeldState != "" && m.GetCluster() != "h":
	case work.Needs.Has(conversation.Sealed) && m.GetFamily() != cfg.DefaultModel(string(work.API)).GetFamily():
	case logprobs && slices.Contains(m.GetRejects(), "logprobs"):
	case thinking == "disabled" && slices.Contains(m.GetRejects(), "thinking.type=disabled"):
	case m.MaxOutputTokens != nil && work.RequestedOutput > int(m.GetMaxOutputTokens()):
	case work.Needs.Has(conversation.Tools) && m.GetToolProficiency() < cfg.GetSelection().GetMinToolProficiency():
	default:
		return work.AnyWindow || fits(cfg, m, work)
	}
	return false
}

func fits(cfg *config.Config, m *configv1.Model, work selection.Work) bool {
	output := work.RequestedOutput
	if output == 0 {
		output = int(cfg.GetSelection().GetReservedOutputTokens())
	}
	margin, _ := new(big.Rat).SetString(fmt.Sprint(cfg.GetSelection().GetWindowMargin()))
	needed := new(big.Rat).SetInt64(int64(work.PromptTokens))
	needed.Mul(needed, margin.Add(margin, big.NewRat(1, 1)))
	// A whole number of tokens fits exactly where the fraction does.
	return needed.Cmp(big.NewRat(int64(m.GetContextWindow())-int64(output), 1)) <= 0
}

func costOf(cfg *config.Config, m *configv1.Model, work selection.Work) float64 {
	output := int(cfg.GetSelection().GetExpectedOutputTokens())
	if work.RequestedOutput > 0 {
		output = min(output, work.RequestedOutput)
	}
	return float64(work.PromptTokens)*m.GetPrice().GetInput()/1e6 + float64(output)*m.GetPrice().GetOutput()/1e6
}

func tierOf(m *configv1.Model) decision.Tier {
	tier, _ := decision.ParseTier(m.GetTier())
	return tier
}

// rounding is far below any difference of price and above that of two orders
// of the same sum.
const rounding = 1e-12

func TestSelectChoosesTheCheapestOfThoseThatPassAndSuffice(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ *rand.Rand, cfg *config.Config, work selection.Work) {
		t.Helper()
		passing := slices.DeleteFunc(slices.Clone(cfg.GetModels()), func(m *configv1.Model) bool { return !passes(cfg, m, work) })
		result, err := choose(t, cfg, work)
		if len(passing) == 0 {
			assert.Error(t, err)
			return
		}
		require.NoError(t, err)
		assert.Contains(t, passing, result.Model)
		highest := decision.NoTier
		for _, m := range passing {
			highest = max(highest, tierOf(m))
		}
		floor := min(work.Tier, highest)
		assert.GreaterOrEqual(t, tierOf(result.Model), floor)
		assert.InDelta(t, costOf(cfg, result.Model, work), result.Cost, rounding)
		for _, m := range passing {
			if tierOf(m) >= floor {
				assert.LessOrEqual(t, result.Cost, costOf(cfg, m, work)+rounding, "%s is cheaper", m.GetName())
			}
		}
	})
}

func TestSelectExplainsEveryCandidateAlways(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ *rand.Rand, cfg *config.Config, work selection.Work) {
		t.Helper()
		result, err := choose(t, cfg, work)
		candidates := result.Candidates
		if err != nil {
			candidates = refusalOf(t, err).Candidates
		}
		require.Len(t, candidates, len(cfg.GetModels()))
		for i, m := range cfg.GetModels() {
			assert.Equal(t, m.GetName(), candidates[i].GetModel())
			if !passes(cfg, m, work) {
				assert.NotEmpty(t, candidates[i].GetReason())
				assert.NotContains(t, candidates[i].GetReason(), "is below "+work.Tier.String(), "a hard filter is named before the tier")
			}
		}
	})
}

func TestSelectDoesNotDependOnTheOrderButForTies(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r *rand.Rand, cfg *config.Config, work selection.Work) {
		t.Helper()
		before, err := choose(t, cfg, work)
		shuffled := &config.Config{Config: proto.CloneOf(cfg.Config)}
		r.Shuffle(len(shuffled.Models), func(i, j int) {
			shuffled.Models[i], shuffled.Models[j] = shuffled.Models[j], shuffled.Models[i]
		})
		after, errAfter := choose(t, shuffled, work)
		require.Equal(t, err == nil, errAfter == nil)
		assert.InDelta(t, before.Cost, after.Cost, 0)
		ties := 0
		for _, candidate := range before.Candidates {
			if candidate.GetReason() == "" && candidate.GetCost() <= before.Cost {
				ties++
			}
		}
		if ties == 1 {
			assert.Equal(t, before.Model.GetName(), after.Model.GetName())
		}
	})
}

func TestSelectNeverPaysMoreForOneModelMore(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r *rand.Rand, cfg *config.Config, work selection.Work) {
		t.Helper()
		before, err := choose(t, cfg, work)
		if err != nil || tierOf(before.Model) < before.Required {
			return // the one more may be the first that suffices
		}
		larger := &config.Config{Config: proto.CloneOf(cfg.Config)}
		larger.Models = slices.Insert(larger.Models, r.IntN(len(larger.Models)+1), randomModel(r, "added"))
		after, err := choose(t, larger, work)
		require.NoError(t, err)
		assert.LessOrEqual(t, after.Cost, before.Cost)
	})
}

func TestSelectChangesNothingThatItIsGiven(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ *rand.Rand, cfg *config.Config, work selection.Work) {
		t.Helper()
		before := proto.CloneOf(cfg.Config)
		_, _ = choose(t, cfg, work)
		assert.True(t, proto.Equal(before, cfg.Config))
	})
}
