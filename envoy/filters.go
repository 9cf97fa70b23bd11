package envoy

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	aiprotocolv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ai_protocol_manager/v3"
	routerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	transformv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/transform/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// The names of the filters that routes refer to.
const (
	bufferFilter    = "envoy.filters.http.buffer"
	pointsmanFilter = "envoy.filters.http.ext_proc"
	transformFilter = "envoy.filters.http.transform"
	usageFilter     = "envoy.filters.http.ai_protocol_manager"
)

// httpFilters is the filter chain, in the order of a request. Filters that only
// some routes use are off, and those routes turn them on.
func (g *generator) httpFilters() []*hcmv3.HttpFilter {
	filters := g.decompressors()
	filters = append(filters,
		g.filter(pointsmanFilter, g.externalProcessor(), disabled),
		g.filter(transformFilter, &transformv3.TransformConfig{}, disabled))
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

// nameModel puts the name of model into the body. It acts when pointsman did
// not: a request that pointsman has answered is on another route by then.
func (g *generator) nameModel(route *routev3.Route, model *configv1.Model) {
	name := literal(model.GetUpstreamModel())
	g.enable(route, transformFilter, g.pack(&transformv3.TransformConfig{
		RequestTransformation: &transformv3.Transformation{
			BodyTransformation: &transformv3.BodyTransformation{
				BodyFormat: &corev3.SubstitutionFormatString{
					Format: &corev3.SubstitutionFormatString_JsonFormat{JsonFormat: &structpb.Struct{
						Fields: map[string]*structpb.Value{modelKey: structpb.NewStringValue(name)},
					}},
				},
				Action: transformv3.BodyTransformation_MERGE,
			},
		},
	}))
}
