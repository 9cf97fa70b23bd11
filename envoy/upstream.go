package envoy

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	credentialv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/credential_injector/v3"
	headerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/header_mutation/v3"
	codecv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/upstream_codec/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	genericv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/http/injected_credentials/generic/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	upstreamv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/upstreams/http/v3"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// httpOptions is the key of a cluster's HTTP options.
const httpOptions = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions"

// clientCredentials are the headers in which clients send credentials. They are
// no business of a provider that gets one of its own.
var clientCredentials = []string{"authorization", "x-api-key", "api-key"}

// providerProtocol speaks what TLS negotiates, and HTTP/1.1 in plain text.
func (g *generator) providerProtocol(cluster *configv1.Cluster) *upstreamv3.HttpProtocolOptions {
	options := &upstreamv3.HttpProtocolOptions{
		CommonHttpProtocolOptions: &corev3.HttpProtocolOptions{IdleTimeout: seconds(providerIdleTimeout)},
		HttpFilters:               g.credentialFilters(cluster),
	}
	http1 := &corev3.Http1ProtocolOptions{EnableTrailers: true}
	if cluster.GetTls() != nil {
		options.UpstreamProtocolOptions = &upstreamv3.HttpProtocolOptions_AutoConfig{
			AutoConfig: &upstreamv3.HttpProtocolOptions_AutoHttpConfig{HttpProtocolOptions: http1},
		}
		return options
	}
	options.UpstreamProtocolOptions = &upstreamv3.HttpProtocolOptions_ExplicitHttpConfig_{
		ExplicitHttpConfig: &upstreamv3.HttpProtocolOptions_ExplicitHttpConfig{
			ProtocolConfig: &upstreamv3.HttpProtocolOptions_ExplicitHttpConfig_HttpProtocolOptions{HttpProtocolOptions: http1},
		},
	}
	return options
}

// credentialFilters replace the client's credential by the provider's, for each
// attempt, after the cluster is known.
func (g *generator) credentialFilters(cluster *configv1.Cluster) []*hcmv3.HttpFilter {
	if cluster.GetCredential() == nil {
		return nil
	}
	return []*hcmv3.HttpFilter{
		g.filter("envoy.filters.http.header_mutation", &headerv3.HeaderMutation{
			Mutations: &headerv3.Mutations{RequestMutations: removals(clientCredentials)},
		}),
		g.filter("envoy.filters.http.credential_injector", &credentialv3.CredentialInjector{
			Overwrite: true,
			Credential: &corev3.TypedExtensionConfig{
				Name: "envoy.http.injected_credentials.generic",
				TypedConfig: g.pack(&genericv3.Generic{
					Credential:        &tlsv3.SdsSecretConfig{Name: secretName(cluster)},
					Header:            cluster.GetCredential().GetHeader(),
					HeaderValuePrefix: cluster.GetCredential().GetPrefix(),
				}),
			},
		}),
		g.filter("envoy.filters.http.upstream_codec", &codecv3.UpstreamCodec{}),
	}
}

// secrets are the providers' credentials. Envoy reads their files when it
// starts, without a trailing line break, and not again: measured, it watches a
// credential's file only where a secret discovery service names it. A rotated
// credential needs a restart.
func (g *generator) secrets() []*tlsv3.Secret {
	var secrets []*tlsv3.Secret
	for _, cluster := range g.GetClusters() {
		if cluster.GetCredential() == nil {
			continue
		}
		secrets = append(secrets, &tlsv3.Secret{
			Name: secretName(cluster),
			Type: &tlsv3.Secret_GenericSecret{GenericSecret: &tlsv3.GenericSecret{
				Secret: file(cluster.GetCredential().GetFile()),
			}},
		})
	}
	return secrets
}

func secretName(cluster *configv1.Cluster) string { return "credential/" + cluster.GetName() }
