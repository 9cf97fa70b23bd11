package envoy

import (
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	commondnsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/clusters/common/dns/v3"
	dnsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/clusters/dns/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

const (
	// maxInFlight bounds connections, requests and waiting requests per
	// cluster. Envoy's 1,024 are soon used up by answers that take minutes.
	maxInFlight = 16384

	// Retries may be this share of what is in flight, in percent, and always
	// this many. Envoy's fixed 3 fail most retries under load.
	retryShare    = 20
	fewestRetries = 16
)

func (g *generator) clusters() []*clusterv3.Cluster {
	var clusters []*clusterv3.Cluster
	for _, cluster := range g.GetClusters() {
		clusters = append(clusters, g.provider(cluster))
	}
	return append(clusters, g.ownCluster())
}

// provider is the cluster of a model provider.
func (g *generator) provider(cluster *configv1.Cluster) *clusterv3.Cluster {
	out := g.newCluster(cluster.GetName(), g.address(cluster.GetAddress()))
	out.ConnectTimeout = seconds(providerConnectTimeout)
	out.TransportSocket = g.transportSocket(cluster)
	out.TypedExtensionProtocolOptions = map[string]*anypb.Any{
		httpOptions: g.pack(g.providerProtocol(cluster)),
	}
	// Nothing moves while a model thinks, and middleboxes forget connections.
	out.UpstreamConnectionOptions = &clusterv3.UpstreamConnectionOptions{TcpKeepalive: tcpKeepalive()}
	return out
}

// newCluster is what all clusters have in common.
func (g *generator) newCluster(name string, a address) *clusterv3.Cluster {
	cluster := &clusterv3.Cluster{
		Name:            name,
		CircuitBreakers: circuitBreakers(),
		LoadAssignment: &endpointv3.ClusterLoadAssignment{
			ClusterName: name,
			Endpoints: []*endpointv3.LocalityLbEndpoints{{LbEndpoints: []*endpointv3.LbEndpoint{{
				HostIdentifier: &endpointv3.LbEndpoint_Endpoint{Endpoint: &endpointv3.Endpoint{Address: a.proto()}},
			}}}},
		},
	}
	if a.needsLookup() {
		cluster.ClusterDiscoveryType = g.lookUp()
	} else {
		cluster.ClusterDiscoveryType = &clusterv3.Cluster_Type{Type: clusterv3.Cluster_STATIC}
	}
	return cluster
}

// lookUp resolves a name and uses every address that it has.
func (g *generator) lookUp() *clusterv3.Cluster_ClusterType {
	return &clusterv3.Cluster_ClusterType{ClusterType: &clusterv3.Cluster_CustomClusterType{
		Name: "envoy.clusters.dns",
		TypedConfig: g.pack(&dnsv3.DnsCluster{
			RespectDnsTtl:     true,
			DnsMinRefreshRate: seconds(dnsMinRefresh),
			DnsLookupFamily:   commondnsv3.DnsLookupFamily_ALL,
		}),
	}}
}

func circuitBreakers() *clusterv3.CircuitBreakers {
	return &clusterv3.CircuitBreakers{Thresholds: []*clusterv3.CircuitBreakers_Thresholds{{
		MaxConnections:     wrapperspb.UInt32(maxInFlight),
		MaxPendingRequests: wrapperspb.UInt32(maxInFlight),
		MaxRequests:        wrapperspb.UInt32(maxInFlight),
		RetryBudget: &clusterv3.CircuitBreakers_Thresholds_RetryBudget{
			BudgetPercent:       &typev3.Percent{Value: retryShare},
			MinRetryConcurrency: wrapperspb.UInt32(fewestRetries),
		},
		TrackRemaining: true,
	}}}
}

// tcpKeepalive notices a dead peer, and reminds middleboxes of a live one,
// within about two minutes.
func tcpKeepalive() *corev3.TcpKeepalive {
	return &corev3.TcpKeepalive{
		KeepaliveTime:     wrapperspb.UInt32(60),
		KeepaliveInterval: wrapperspb.UInt32(15),
		KeepaliveProbes:   wrapperspb.UInt32(4),
	}
}
