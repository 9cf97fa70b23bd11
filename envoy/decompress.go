package envoy

import (
	mutationv3 "github.com/envoyproxy/go-control-plane/envoy/config/common/mutation_rules/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	gzipv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/compression/gzip/decompressor/v3"
	zstdv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/compression/zstd/decompressor/v3"
	bufferv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/buffer/v3"
	decompressorv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/decompressor/v3"
	mutationfilterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/header_mutation/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

const (
	// maxInflateRatio is the most that gzip can reach, and the most that Envoy
	// takes. With Envoy's default of 100 compressible JSON is cut off silently.
	maxInflateRatio = 1032

	// inflateChunk is the output buffer, in bytes.
	inflateChunk = 64 << 10
)

// coding is a content coding of request bodies that Envoy takes off, so that
// pointsman reads what the client meant.
type coding struct {
	name    string
	library proto.Message
	// whole is for a decompressor that must see the whole body at once.
	whole bool
}

// codings lists them. Envoy's zstd decompressor gives up, and passes on what it
// has, where one piece of input inflates more than a hundredfold; a short TCP
// segment that completes a block does that to any body. Measured: 5 MB sent in
// pieces of 536 bytes arrived as 125 KB, and whole with a buffer in front. Its
// brotli decompressor has the same bound, and no client that sends brotli.
var codings = []coding{
	{name: "gzip", library: &gzipv3.Gzip{
		MaxInflateRatio: wrapperspb.UInt32(maxInflateRatio),
		ChunkSize:       wrapperspb.UInt32(inflateChunk),
	}},
	{name: "zstd", library: &zstdv3.Zstd{ChunkSize: wrapperspb.UInt32(inflateChunk)}, whole: true},
}

func (c coding) filter() string { return "envoy.filters.http.decompressor." + c.name }

// decompressors are the filters that inflate request bodies, in front of
// pointsman, the buffer that some of them need, and what takes away what they
// report.
func (g *generator) decompressors() []*hcmv3.HttpFilter {
	filters := make([]*hcmv3.HttpFilter, 0, len(codings)+2)
	filters = append(filters, g.filter(bufferFilter, &bufferv3.Buffer{
		MaxRequestBytes: wrapperspb.UInt32(g.bodyLimit()),
	}, disabled))
	for _, coding := range codings {
		filters = append(filters, g.filter(coding.filter(), g.decompressor(coding), disabled))
	}
	return append(filters, g.filter(mutationFilter, reportsRemoved(), disabled))
}

// reportsRemoved takes away the trailers in which Envoy's decompressors report
// how much they have inflated. They name this Envoy's filters, and are no
// business of a provider's.
func reportsRemoved() *mutationfilterv3.HeaderMutation {
	return &mutationfilterv3.HeaderMutation{Mutations: &mutationfilterv3.Mutations{
		RequestTrailersMutations: []*mutationv3.HeaderMutation{{Action: &mutationv3.HeaderMutation_RemoveOnMatch_{
			RemoveOnMatch: &mutationv3.HeaderMutation_RemoveOnMatch{KeyMatcher: &matcherv3.StringMatcher{
				MatchPattern: &matcherv3.StringMatcher_Prefix{Prefix: "x-envoy-decompressor-"},
			}},
		}}},
	}}
}

func (g *generator) decompressor(coding coding) *decompressorv3.Decompressor {
	return &decompressorv3.Decompressor{
		DecompressorLibrary: &corev3.TypedExtensionConfig{
			Name:        "envoy.compression." + coding.name + ".decompressor",
			TypedConfig: g.pack(coding.library),
		},
		RequestDirectionConfig: &decompressorv3.Decompressor_RequestDirectionConfig{
			CommonConfig: &decompressorv3.Decompressor_CommonDirectionConfig{IgnoreNoTransformHeader: true},
		},
		ResponseDirectionConfig: &decompressorv3.Decompressor_ResponseDirectionConfig{
			CommonConfig: &decompressorv3.Decompressor_CommonDirectionConfig{Enabled: never()},
		},
	}
}

// decompress turns a decompressor on. It has no configuration per route.
func (g *generator) decompress(route *routev3.Route, coding coding) {
	if coding.whole {
		g.enable(route, bufferFilter, &anypb.Any{})
	}
	g.enable(route, coding.filter(), &anypb.Any{})
	g.enable(route, mutationFilter, &anypb.Any{})
}

// never is a feature flag that is off.
func never() *corev3.RuntimeFeatureFlag {
	return &corev3.RuntimeFeatureFlag{
		DefaultValue: wrapperspb.Bool(false),
		RuntimeKey:   "pointsman.decompress_responses",
	}
}
