package envoy

import (
	"net/http"
	"slices"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/dialect"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// bodyHeadroom is what a body may grow by, in bytes, when its model is renamed.
// Envoy answers 413 for a rewritten body over the limit too.
const bodyHeadroom = 64 << 10

// modelsPath is how the paths end that list models.
const modelsPath = "/v1/models"

func (g *generator) routeConfiguration() *routev3.RouteConfiguration {
	return &routev3.RouteConfiguration{
		Name:             own,
		ValidateClusters: wrapperspb.Bool(true),
		VirtualHosts: []*routev3.VirtualHost{{
			Name:                   own,
			Domains:                []string{"*"},
			Routes:                 g.routes(),
			RequestBodyBufferLimit: wrapperspb.UInt64(uint64(g.bodyLimit())),
			RequestHeadersToRemove: removedHeaders(),
			ResponseHeadersToAdd:   g.decisionHeaders(),
		}},
	}
}

// bodyLimit is the largest body that Envoy holds, in bytes.
func (g *generator) bodyLimit() uint32 {
	return uint32(g.GetLimits().GetMaxBodyBytes()) + bodyHeadroom //nolint:gosec // the schema bounds it to 1 GiB
}

// routes lists the routes; the first that matches is taken.
func (g *generator) routes() []*routev3.Route {
	routes := g.apiRoutes()
	if g.GetListModels() {
		routes = append(routes, g.modelListRoute())
	}
	return append(routes, g.plainRoute())
}

func (g *generator) apiRoutes() []*routev3.Route {
	var routes []*routev3.Route
	for _, api := range g.apisInUse() {
		routes = slices.Concat(routes,
			g.modelRoutes(api), []*routev3.Route{g.passRoute(api), upgradeRoute(api)}, g.askedRoutes(api), g.landingRoutes(api))
	}
	return routes
}

// modelRoutes send what pointsman has selected to the model's cluster.
func (g *generator) modelRoutes(api api) []*routev3.Route {
	models := g.modelsOf(api)
	routes := make([]*routev3.Route, len(models))
	for i, model := range models {
		route := g.llmRoute(api, "model/"+model.GetName(), g.clusterOf(model))
		route.Match.Headers = []*routev3.HeaderMatcher{exactHeader(decision.HeaderModel, model.GetName())}
		route.StatPrefix = model.GetName()
		routes[i] = route
	}
	return routes
}

// passRoute takes what pointsman passes through on purpose.
func (g *generator) passRoute(api api) *routev3.Route {
	route := g.llmRoute(api, "pass", g.clusterOf(g.defaultModel(api)))
	route.Match.Headers = []*routev3.HeaderMatcher{presentHeader(decision.HeaderPass)}
	route.StatPrefix = "pass"
	return route
}

// landingRoutes are where requests arrive, one route for each coding of the
// body and one for bodies without.
func (g *generator) landingRoutes(api api) []*routev3.Route {
	routes := make([]*routev3.Route, 0, len(codings)+1)
	for _, coding := range codings {
		route := g.landingRoute(api, "/"+coding.name)
		route.Match.Headers = append(route.Match.Headers, wordHeader("content-encoding", coding.name))
		g.decompress(route, coding)
		routes = append(routes, route)
	}
	return append(routes, g.landingRoute(api, ""))
}

// landingRoute calls pointsman; no other kind of route does. When pointsman
// does not answer, the request goes on from here: to the model of the catalogue
// that it asks for, or with the default model's name in its body. Where it
// cannot go on, it is cut after a time: Envoy's message timeout does not count
// in FULL_DUPLEX_STREAMED mode.
func (g *generator) landingRoute(api api, suffix string) *routev3.Route {
	model := g.defaultModel(api)
	route := g.llmRoute(api, "landing"+suffix, g.clusterOf(model))
	route.Match.Headers = []*routev3.HeaderMatcher{exactHeader(":method", "POST")}
	route.StatPrefix = "landing"
	g.callPointsman(route)
	if g.duplex() {
		route.GetRoute().IdleTimeout = seconds(duplexIdleTimeout)
		return route
	}
	g.readAsked(route)
	g.nameModel(route, model)
	return route
}

// upgradeRoute refuses WebSockets on an API's path, so that clients which try
// them first fall back to HTTP at once.
func upgradeRoute(api api) *routev3.Route {
	problem := dialect.Problem{
		Status: http.StatusUpgradeRequired, Code: dialect.CodeUpgradeRequired,
		Message: "WebSocket is not supported on this path: send an HTTP POST",
	}
	answer := dialect.Error(api.API, problem)
	return &routev3.Route{
		Name: api.label() + "/upgrade",
		Match: &routev3.RouteMatch{
			PathSpecifier: pathEndsIn(api.Path),
			Headers:       []*routev3.HeaderMatcher{wordHeader("upgrade", "websocket")},
		},
		Action: &routev3.Route_DirectResponse{DirectResponse: &routev3.DirectResponseAction{
			Status:     status(answer),
			BodyFormat: bodyOf(answer),
		}},
	}
}

// modelListRoute lets pointsman answer the list of models. When it does not,
// the default cluster does.
func (g *generator) modelListRoute() *routev3.Route {
	route := &routev3.Route{
		Name: "models",
		Match: &routev3.RouteMatch{
			PathSpecifier: pathEndsIn(modelsPath),
			Headers:       []*routev3.HeaderMatcher{exactHeader(":method", "GET")},
		},
		Action:     &routev3.Route_Route{Route: forwardTo(g.defaultCluster())},
		StatPrefix: "models",
	}
	g.showHeaders(route)
	return route
}

// plainRoute takes everything that is not ours. Nothing reads or buffers its
// bodies, so it has no retries either: they would keep a copy.
func (g *generator) plainRoute() *routev3.Route {
	return &routev3.Route{
		Name:       "plain",
		Match:      &routev3.RouteMatch{PathSpecifier: &routev3.RouteMatch_Prefix{Prefix: "/"}},
		Action:     &routev3.Route_Route{Route: forwardTo(g.defaultCluster())},
		StatPrefix: "plain",
	}
}

func (g *generator) clusterOf(model *configv1.Model) *configv1.Cluster {
	return g.Cluster(model.GetCluster())
}

// defaultCluster is the cluster of what is not ours.
func (g *generator) defaultCluster() *configv1.Cluster {
	return g.Cluster(g.GetEnvoy().GetDefaultCluster())
}
