package envoy

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	earlyv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/http/early_header_mutation/header_mutation/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/pointsman/pointsman/filter/decision"
)

const (
	// connectionBuffer is Envoy's buffer per connection and direction, in
	// bytes. Bodies on their way to pointsman have a limit of their own.
	connectionBuffer = 1 << 20

	// The HTTP/2 limits per client connection: streams at once, and bytes in
	// flight per stream and in all.
	maxStreams       = 100
	streamWindow     = 1 << 20
	connectionWindow = 4 << 20
)

func (g *generator) listeners() []*listenerv3.Listener {
	return []*listenerv3.Listener{{
		Name:                          "clients",
		Address:                       g.address(g.GetEnvoy().GetListener()).proto(),
		PerConnectionBufferLimitBytes: wrapperspb.UInt32(connectionBuffer),
		TcpKeepalive:                  tcpKeepalive(),
		FilterChains: []*listenerv3.FilterChain{{
			Filters: []*listenerv3.Filter{{
				Name:       "envoy.filters.network.http_connection_manager",
				ConfigType: &listenerv3.Filter_TypedConfig{TypedConfig: g.pack(g.connectionManager())},
			}},
		}},
	}}
}

// connectionManager treats clients as an edge proxy does, with the exceptions
// that "everything else passes untouched" asks for.
func (g *generator) connectionManager() *hcmv3.HttpConnectionManager {
	return &hcmv3.HttpConnectionManager{
		CodecType:         hcmv3.HttpConnectionManager_AUTO,
		StatPrefix:        own,
		RouteSpecifier:    &hcmv3.HttpConnectionManager_RouteConfig{RouteConfig: g.routeConfiguration()},
		HttpFilters:       g.httpFilters(),
		AccessLog:         g.accessLogs(),
		LocalReplyConfig:  g.localReplies(),
		StreamIdleTimeout: seconds(streamIdleTimeout),

		// The client's address is known to Envoy's logs and is not told to
		// providers.
		UseRemoteAddress: wrapperspb.Bool(true),
		SkipXffAppend:    true,

		RequestHeadersTimeout:         seconds(headersTimeout),
		EarlyHeaderMutationExtensions: []*corev3.TypedExtensionConfig{g.stripOwnedHeaders()},

		// Dot segments are resolved, or they would climb out of a cluster's
		// path_prefix with the provider's credential. Slashes are left alone,
		// doubled and escaped ones too: they mean something in object names.
		NormalizePath:                wrapperspb.Bool(true),
		PathWithEscapedSlashesAction: hcmv3.HttpConnectionManager_KEEP_UNCHANGED,

		CommonHttpProtocolOptions: &corev3.HttpProtocolOptions{
			IdleTimeout: seconds(clientIdleTimeout),
			// Codex sends a header called session_id.
			HeadersWithUnderscoresAction: corev3.HttpProtocolOptions_ALLOW,
		},
		HttpProtocolOptions: &corev3.Http1ProtocolOptions{EnableTrailers: true},
		Http2ProtocolOptions: &corev3.Http2ProtocolOptions{
			MaxConcurrentStreams:        wrapperspb.UInt32(maxStreams),
			InitialStreamWindowSize:     wrapperspb.UInt32(streamWindow),
			InitialConnectionWindowSize: wrapperspb.UInt32(connectionWindow),
		},
		// Providers that speak HTTP/2 over TLS may refuse the scheme http.
		SchemeHeaderTransformation: &corev3.SchemeHeaderTransformation{MatchUpstream: true},
		// Paths that are not ours may be WebSockets; ours answer 426, which
		// they could not if Envoy refused every upgrade by itself.
		UpgradeConfigs: []*hcmv3.HttpConnectionManager_UpgradeConfig{{UpgradeType: "websocket"}},
	}
}

// stripOwnedHeaders removes the client's own pointsman headers before any route
// is looked at. A filter or a route could do it too late only: measured, both
// let a client choose its model while pointsman is down.
func (g *generator) stripOwnedHeaders() *corev3.TypedExtensionConfig {
	return &corev3.TypedExtensionConfig{
		Name:        "envoy.http.early_header_mutation.header_mutation",
		TypedConfig: g.pack(&earlyv3.HeaderMutation{Mutations: removals(decision.OwnedHeaders())}),
	}
}
