package envoy

import (
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	aiprotocolv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ai_protocol_manager/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// retryAttempts is how often a provider is tried again.
const retryAttempts = 2

// llmRoute is a route on an API's path to cluster.
func (g *generator) llmRoute(api api, name string, cluster *configv1.Cluster) *routev3.Route {
	action := forwardTo(cluster)
	action.RetryPolicy = g.retryPolicy()
	route := &routev3.Route{
		Name:   api.label() + "/" + name,
		Match:  &routev3.RouteMatch{PathSpecifier: pathEndsIn(api.Path)},
		Action: &routev3.Route_Route{Route: action},
	}
	if g.GetEnvoy().GetTokenUsage() && api.usesTokens() {
		g.readUsage(route, api)
	}
	return route
}

// readUsage has Envoy read the token usage of answers. It cannot read
// compressed ones, so the provider is asked not to compress.
func (g *generator) readUsage(route *routev3.Route, api api) {
	g.perRoute(route, usageFilter, &aiprotocolv3.AiProtocolManagerPerRoute{
		Response: &aiprotocolv3.ResponsePerRoute{LlmProtocol: protocols[api.API]},
	})
	route.RequestHeadersToAdd = []*corev3.HeaderValueOption{setHeader("accept-encoding", "identity")}
}

// perRoute configures filter on route.
func (g *generator) perRoute(route *routev3.Route, filter string, message proto.Message) {
	if route.TypedPerFilterConfig == nil {
		route.TypedPerFilterConfig = map[string]*anypb.Any{}
	}
	route.TypedPerFilterConfig[filter] = g.pack(message)
}

// forwardTo sends requests to cluster as they came, except for what the
// cluster's settings change. A long answer is no error: there is no limit on
// the whole, only on silence.
func forwardTo(cluster *configv1.Cluster) *routev3.RouteAction {
	action := &routev3.RouteAction{
		ClusterSpecifier: &routev3.RouteAction_Cluster{Cluster: cluster.GetName()},
		Timeout:          seconds(0),
		IdleTimeout:      seconds(streamIdleTimeout),
		RegexRewrite:     prepend(cluster.GetPathPrefix()),
	}
	if host := cluster.GetHost(); host != "" {
		action.HostRewriteSpecifier = &routev3.RouteAction_HostRewriteLiteral{HostRewriteLiteral: host}
	}
	return action
}

// prepend puts prefix before the path. A prefix_rewrite could not: it replaces
// what the route matched, and these routes match the path's end.
func prepend(prefix string) *matcherv3.RegexMatchAndSubstitute {
	if prefix == "" {
		return nil
	}
	// In a substitution a backslash introduces a group.
	prefix = strings.ReplaceAll(prefix, `\`, `\\`)
	return &matcherv3.RegexMatchAndSubstitute{Pattern: regex("^/"), Substitution: prefix + "/"}
}

// retryPolicy repeats only what no model has worked on: the provider was not
// reached, or said that it is not serving. Rate limits (429) are the client's
// to wait for.
//
// In FULL_DUPLEX_STREAMED mode nothing is repeated. Measured on Envoy 1.40: what
// the router keeps for a retry is sent a second time, right behind the first,
// where trailers end the body, and Envoy's decompressors add trailers.
func (g *generator) retryPolicy() *routev3.RetryPolicy {
	policy := &routev3.RetryPolicy{PerTryIdleTimeout: seconds(answerIdleTimeout)}
	if g.duplex() {
		return policy
	}
	policy.RetryOn = "connect-failure,refused-stream,reset-before-request,retriable-status-codes"
	policy.RetriableStatusCodes = []uint32{503}
	policy.NumRetries = wrapperspb.UInt32(retryAttempts)
	policy.RetryBackOff = &routev3.RetryPolicy_RetryBackOff{
		BaseInterval: seconds(retryBackOff),
		MaxInterval:  seconds(maxRetryBackOff),
	}
	return policy
}
