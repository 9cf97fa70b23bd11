package integration

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/test/provider"
)

// Only this test asks for the counted models, so that what Envoy counts for
// them is this test's alone.
func TestStats_EnvoyCountsByModelTierCategoryAndSource(t *testing.T) {
	t.Parallel()
	v := visiting(various(t))
	hinted := func(tier, category string) []string {
		return []string{decision.HeaderHintTier, tier, decision.HeaderHintCategory, category}
	}
	easy, hard := said("counted", greeting), said("counted", "Prove it.")
	for range 3 {
		assert.Equal(t, http.StatusOK, v.ask(t, easy, hinted("simple", "chat")...).status)
	}
	for range 2 {
		assert.Equal(t, http.StatusOK, v.ask(t, hard, hinted("reasoning", "proof")...).status)
	}
	assert.Equal(t, http.StatusTooManyRequests, v.ask(t, hard, append(hinted("reasoning", "proof"), provider.HeaderStatus, "429")...).status)
	classified := explained(t, v.Config, easy).Decision
	assert.Equal(t, http.StatusOK, v.ask(t, easy).status)
	assert.Equal(t, http.StatusOK, v.ask(t, said("counted-best", greeting)).status)
	assert.Equal(t, http.StatusBadRequest, v.ask(t, []byte("{}")).status)

	promptTokens := int64(0)
	for _, record := range v.all(t, 9) {
		promptTokens += int64(record.GetDecision().GetPromptTokens())
	}
	want := map[string]int64{
		"counted-cheap.tier.simple.category.chat.source.override":                                                          3,
		"counted-best.tier.reasoning.category.proof.source.override":                                                       3,
		fmt.Sprintf("counted-cheap.tier.%s.category.%s.source.classifier", classified.GetTier(), classified.GetCategory()): 1,
		"counted-best.tier..category..source.override":                                                                     1,
	}
	counters := func(name string) map[string]int64 {
		counts := map[string]int64{}
		prefix := "pointsman." + name + ".model."
		for name, count := range v.Stats(t, "^"+regexp.QuoteMeta(prefix)+"counted-") {
			counts[strings.TrimPrefix(name, prefix)] = count
		}
		return counts
	}
	await(t, pollInterval, "Envoy to count", func() bool { return sum(counters("requests")) >= sum(want) })
	assert.Equal(t, want, counters("requests"))
	assert.Equal(t, promptTokens, sum(counters("prompt_tokens")))
	assert.Zero(t, sum(counters("tokens_saved")))

	assert.Equal(t, map[string]int64{
		"vhost.pointsman.route.counted-cheap.upstream_rq_200": 4,
		"vhost.pointsman.route.counted-best.upstream_rq_200":  3,
		"vhost.pointsman.route.counted-best.upstream_rq_429":  1,
		"cluster.counted.upstream_rq_200":                     7,
		"cluster.counted.upstream_rq_429":                     1,
	}, v.Stats(t, `^(vhost\.pointsman\.route\.counted-.*|cluster\.counted)\.upstream_rq_[0-9]+$`))

	prometheus, err := get(t.Context(), v.AdminURL+"/stats/prometheus?"+url.Values{"filter": {"^pointsman.requests.model.counted-"}}.Encode())
	require.NoError(t, err)
	assert.Contains(t, prometheus,
		`envoy_pointsman_requests{model="counted-cheap",tier="simple",category="chat",source="override"} 3`)
}

func sum(stats map[string]int64) (all int64) {
	for count := range maps.Values(stats) {
		all += count
	}
	return all
}

func TestUsage_TheRecordHasWhatTheProviderCounted(t *testing.T) {
	t.Parallel()
	// Long enough for the stand-in's cache, which begins at 1,024 tokens.
	text := greeting + strings.Repeat(" Hello again!", 1000)
	tests := []struct {
		name string
		body []byte
	}{
		{"JSON", said("auto", text)},
		{"a prompt that is cached by now", said("auto", text)},
		{"a stream", []byte(strings.Replace(string(streamed(text)), "{", `{"stream_options":{"include_usage":true},`, 1))},
	}
	for _, test := range tests {
		v := visiting(shared(t))
		got := v.ask(t, test.body)
		assert.Equal(t, http.StatusOK, got.status)
		record := v.record(t)
		usage := record.GetUsage()
		require.NotNil(t, usage, test.name)
		assert.Contains(t, strings.ReplaceAll(got.body, "\n", ""), fmt.Sprintf(
			`"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}`,
			usage.GetInputTokens(), usage.GetOutputTokens(), usage.GetInputTokens()+usage.GetOutputTokens(), usage.GetCachedTokens()), test.name)
		assert.False(t, usage.GetPartial())
		price := v.Config.Model(record.GetDecision().GetModel()).GetPrice()
		assert.InDelta(t, (float64(usage.GetInputTokens()-usage.GetCachedTokens())*price.GetInput()+
			float64(usage.GetCachedTokens())*price.GetCachedInput()+float64(usage.GetOutputTokens())*price.GetOutput())/1e6,
			usage.GetCost(), 1e-9, test.name)
		assert.Equal(t, test.name == "a prompt that is cached by now", usage.GetCachedTokens() > 1000, test.name)
	}
}

// A provider counts a stream only where the request asks for it, and nothing
// here asks in the client's place.
func TestUsage_AStreamThatDoesNotAskForItHasNone(t *testing.T) {
	t.Parallel()
	v := visiting(shared(t))
	got := v.ask(t, streamed(greeting))
	assert.Equal(t, http.StatusOK, got.status)
	assert.NotContains(t, got.body, "usage")
	record := v.record(t)
	assert.Equal(t, decision.KindAnswered, record.GetOutcome().GetKind())
	assert.NotNil(t, record.GetDecision())
	assert.Nil(t, record.GetUsage())
}
