package envoy

import (
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	aiprotocolv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ai_protocol_manager/v3"
	routerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	transformv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/transform/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// The names of the filters that routes refer to.
const (
	bufferFilter    = "envoy.filters.http.buffer"
	mutationFilter  = "envoy.filters.http.header_mutation"
	pointsmanFilter = "envoy.filters.http.ext_proc"
	askedFilter     = "envoy.filters.http.transform.asked"
	transformFilter = "envoy.filters.http.transform"
	usageFilter     = "envoy.filters.http.ai_protocol_manager"
)

// httpFilters is the filter chain, in the order of a request. Filters that only
// some routes use are off, and those routes turn them on.
func (g *generator) httpFilters() []*hcmv3.HttpFilter {
	filters := append(g.decompressors(), g.filter(pointsmanFilter, g.externalProcessor(), disabled))
	if !g.duplex() {
		filters = append(filters,
			g.filter(askedFilter, &transformv3.TransformConfig{}, disabled),
			g.filter(transformFilter, &transformv3.TransformConfig{}, disabled))
	}
	if g.GetEnvoy().GetTokenUsage() {
		filters = append(filters, g.filter(usageFilter, &aiprotocolv3.AiProtocolManager{
			ResponseHandling: &aiprotocolv3.ResponseHandling{TokenUsage: &aiprotocolv3.TokenUsageExtraction{}},
		}))
	}
	return append(filters, g.filter("envoy.filters.http.router", &routerv3.Router{
		// Providers get what the client sent, and nothing about this Envoy.
		SuppressEnvoyHeaders: true,
	}))
}

func (g *generator) filter(name string, message proto.Message, options ...func(*hcmv3.HttpFilter)) *hcmv3.HttpFilter {
	filter := &hcmv3.HttpFilter{
		Name:       name,
		ConfigType: &hcmv3.HttpFilter_TypedConfig{TypedConfig: g.pack(message)},
	}
	for _, option := range options {
		option(filter)
	}
	return filter
}

func disabled(filter *hcmv3.HttpFilter) { filter.Disabled = true }

// enable turns on a filter that is off elsewhere. An empty config is the one of
// the filter itself.
func (g *generator) enable(route *routev3.Route, filter string, config *anypb.Any) {
	g.perRoute(route, filter, &routev3.FilterConfig{Config: config})
}
