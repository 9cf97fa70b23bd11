package envoy

import (
	"cmp"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// defaultAuthorities is where Debian keeps its trusted authorities.
const defaultAuthorities = "/etc/ssl/certs/ca-certificates.crt"

// transportSocket is TLS towards a provider; nil is plain text. The
// certificate must be valid for the server's name.
func (g *generator) transportSocket(cluster *configv1.Cluster) *corev3.TransportSocket {
	if cluster.GetTls() == nil {
		return nil
	}
	name := g.serverName(cluster)
	context := &tlsv3.UpstreamTlsContext{CommonTlsContext: &tlsv3.CommonTlsContext{
		AlpnProtocols: []string{"h2", "http/1.1"},
		ValidationContextType: &tlsv3.CommonTlsContext_ValidationContext{ValidationContext: &tlsv3.CertificateValidationContext{
			TrustedCa:                 file(cmp.Or(cluster.GetTls().GetCaFile(), defaultAuthorities)),
			MatchTypedSubjectAltNames: []*tlsv3.SubjectAltNameMatcher{subject(name)},
		}},
	}}
	if !isIP(name) { // an IP address cannot be asked for
		context.Sni = name
	}
	return &corev3.TransportSocket{
		Name:       "envoy.transport_sockets.tls",
		ConfigType: &corev3.TransportSocket_TypedConfig{TypedConfig: g.pack(context)},
	}
}

// serverName is the name that is asked for and verified: tls.sni, or the
// cluster's host, or the host of its address.
func (g *generator) serverName(cluster *configv1.Cluster) string {
	return cmp.Or(cluster.GetTls().GetSni(), cluster.GetHost(), g.address(cluster.GetAddress()).host)
}

// subject matches a certificate's alternative names. A wildcard certificate
// matches too: Envoy compares DNS names as TLS does.
func subject(name string) *tlsv3.SubjectAltNameMatcher {
	kind := tlsv3.SubjectAltNameMatcher_DNS
	if isIP(name) {
		kind = tlsv3.SubjectAltNameMatcher_IP_ADDRESS
	}
	return &tlsv3.SubjectAltNameMatcher{
		SanType: kind,
		Matcher: &matcherv3.StringMatcher{MatchPattern: &matcherv3.StringMatcher_Exact{Exact: name}},
	}
}

func file(path string) *corev3.DataSource {
	return &corev3.DataSource{Specifier: &corev3.DataSource_Filename{Filename: path}}
}
