package accesslog

import (
	"fmt"

	aiv3 "github.com/envoyproxy/go-control-plane/envoy/data/ai/v3"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// usageNamespace is where Envoy's ai_protocol_manager puts the token usage of
// an answer, as typed metadata, once the answer has ended well.
const usageNamespace = "envoy.ai.token_usage"

// usageOf is nil where no usage is known.
func usageOf(entry *httpEntry) (*routerv1.Usage, error) {
	object := entry.GetCommonProperties().GetMetadata().GetTypedFilterMetadata()[usageNamespace]
	if object == nil {
		return nil, nil //nolint:nilnil // most answers of other Envoys have none
	}
	var tokens aiv3.TokenUsage
	if err := object.UnmarshalTo(&tokens); err != nil {
		return nil, fmt.Errorf("typed metadata %q: %w", usageNamespace, err)
	}
	if tokens.GetInputTokens() == nil && tokens.GetOutputTokens() == nil {
		return nil, nil //nolint:nilnil // Envoy saw usage and could not read it
	}
	return &routerv1.Usage{
		InputTokens:      count(tokens.GetInputTokens().GetValue()),
		CachedTokens:     count(tokens.GetInputTokenDetails().GetCachedTokens().GetValue()),
		CacheWriteTokens: count(tokens.GetInputTokenDetails().GetCacheCreationTokens().GetValue()),
		OutputTokens:     count(tokens.GetOutputTokens().GetValue()),
		Partial:          tokens.GetExtractionStatus() == aiv3.TokenUsage_PARTIAL,
	}, nil
}

// cost is in USD. Envoy counts cached and written tokens as part of the input
// (Envoy docs, and measured with Anthropic's answers, which do not). Without a
// price it is 0.
func cost(usage *routerv1.Usage, price *configv1.Price) float64 {
	const million = 1e6
	cached, written := usage.GetCachedTokens(), usage.GetCacheWriteTokens()
	plain := max(0, int64(usage.GetInputTokens())-int64(cached)-int64(written))
	return (float64(plain)*price.GetInput() +
		float64(cached)*price.GetCachedInput() +
		float64(written)*price.GetCacheWrite() +
		float64(usage.GetOutputTokens())*price.GetOutput()) / million
}
