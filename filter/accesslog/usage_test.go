package accesslog

import (
	"math"
	"testing"

	aiv3 "github.com/envoyproxy/go-control-plane/envoy/data/ai/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/wrapperspb"

	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

func TestUsageIsPricedAsTheCatalogueSays(t *testing.T) {
	t.Parallel()
	// 1,200 prompt tokens of which 1,000 were cached, 34 of answer; USD 1, 0.1
	// and 4 per million.
	usage := recordOf(t, readEntry(t, "answered_stream")).GetUsage()
	assert.Equal(t, int32(1200), usage.GetInputTokens())
	assert.Equal(t, int32(1000), usage.GetCachedTokens())
	assert.Equal(t, int32(34), usage.GetOutputTokens())
	assert.InDelta(t, (200*1+1000*0.1+34*4)/1e6, usage.GetCost(), 1e-12)
}

func TestUsagePricesCacheWrites(t *testing.T) {
	t.Parallel()
	// 100 plain, 1,000 read, 200 written.
	usage := recordOf(t, readEntry(t, "answered_anthropic")).GetUsage()
	assert.Equal(t, int32(1300), usage.GetInputTokens())
	assert.Equal(t, int32(200), usage.GetCacheWriteTokens())
	assert.InDelta(t, (100*1+1000*0.1+200*1.25+34*4)/1e6, usage.GetCost(), 1e-12)
}

func TestUsageWithoutAKnownModelCostsNothing(t *testing.T) {
	t.Parallel()
	entry := readEntry(t, "answered")
	delete(entry.GetCommonProperties().GetMetadata().GetFilterMetadata(), "pointsman")
	usage := recordOf(t, entry).GetUsage()
	assert.Equal(t, int32(1200), usage.GetInputTokens())
	assert.Zero(t, usage.GetCost())
}

func TestUsageIsUnsetWhereEnvoyCouldNotReadIt(t *testing.T) {
	t.Parallel()
	assert.Nil(t, recordOf(t, readEntry(t, "usage_malformed")).GetUsage())
	assert.Nil(t, recordOf(t, readEntry(t, "client_gone_streaming")).GetUsage())
}

func TestUsageThatIsIncompleteSaysSo(t *testing.T) {
	t.Parallel()
	entry := readEntry(t, "answered")
	assert.False(t, recordOf(t, entry).GetUsage().GetPartial())
	entry.CommonProperties.Metadata.TypedFilterMetadata[usageNamespace] = anyOf(t, &aiv3.TokenUsage{
		OutputTokens: wrapperspb.UInt64(3), ExtractionStatus: aiv3.TokenUsage_PARTIAL,
	})
	usage := recordOf(t, entry).GetUsage()
	assert.True(t, usage.GetPartial())
	assert.Equal(t, int32(3), usage.GetOutputTokens())
}

func TestCostNeverGoesBelowZero(t *testing.T) {
	t.Parallel()
	price := testConfig().Model("small").GetPrice()
	require.NotNil(t, price)
	usage := &routerv1.Usage{InputTokens: 1, CachedTokens: math.MaxInt32, CacheWriteTokens: math.MaxInt32}
	assert.Positive(t, cost(usage, price))
}
