package envoy

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	transformv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/transform/v3"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pointsman/pointsman/filter/decision"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// What stands here acts only while pointsman does not answer. A request that it
// has answered is on another route by then, where the two transform filters
// have nothing to do.
//
// Of the landing route's two filters the first reads which model the request
// asks for and has its route chosen anew. A model of the catalogue has a route
// for that, and keeps its name; whatever stays on the landing route gets the
// default model's name from the second.

// askedRoutes send pinned models to their clusters. As in pointsman's own
// lookup, names come before upstream models, and the first of several counts.
func (g *generator) askedRoutes(api api) []*routev3.Route {
	if g.duplex() {
		return nil
	}
	var routes []*routev3.Route
	taken := map[string]bool{}
	add := func(asked string, model *configv1.Model) {
		if !taken[asked] {
			taken[asked] = true
			routes = append(routes, g.askedRoute(api, asked, model))
		}
	}
	models := g.modelsOf(api)
	for _, model := range models {
		add(model.GetName(), model)
	}
	for _, model := range models {
		add(model.GetUpstreamModel(), model)
	}
	return routes
}

// askedRoute takes requests for one name. Where that is what the provider calls
// the model, no byte of the body is touched.
func (g *generator) askedRoute(api api, asked string, model *configv1.Model) *routev3.Route {
	route := g.llmRoute(api, "asked/"+asked, g.clusterOf(model))
	route.Match.Headers = []*routev3.HeaderMatcher{exactHeader(decision.HeaderAsked, asked)}
	route.StatPrefix = "landing"
	if asked != model.GetUpstreamModel() {
		g.perRoute(route, transformFilter, naming(model))
	}
	return route
}

// readAsked puts the body's model into a header and has the route chosen anew.
func (g *generator) readAsked(route *routev3.Route) {
	g.enable(route, askedFilter, g.pack(&transformv3.TransformConfig{
		ClearRouteCache: true,
		RequestTransformation: &transformv3.Transformation{
			HeadersMutations: appending(setHeader(decision.HeaderAsked, "%REQUEST_BODY("+modelKey+")%")),
		},
	}))
}

// nameModel puts the name of model into the body.
func (g *generator) nameModel(route *routev3.Route, model *configv1.Model) {
	g.enable(route, transformFilter, g.pack(naming(model)))
}

func naming(model *configv1.Model) *transformv3.TransformConfig {
	name := literal(model.GetUpstreamModel())
	return &transformv3.TransformConfig{RequestTransformation: &transformv3.Transformation{
		BodyTransformation: &transformv3.BodyTransformation{
			BodyFormat: &corev3.SubstitutionFormatString{
				Format: &corev3.SubstitutionFormatString_JsonFormat{JsonFormat: &structpb.Struct{
					Fields: map[string]*structpb.Value{modelKey: structpb.NewStringValue(name)},
				}},
			},
			Action: transformv3.BodyTransformation_MERGE,
		},
	}}
}
