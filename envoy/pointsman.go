package envoy

import (
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	upstreamv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/upstreams/http/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// failuresToSick is how many health checks in a row an endpoint may fail.
const failuresToSick = 3

// ownCluster is where ext_proc and the access log go. An endpoint that
// fails its health checks is not tried: without panic routing, requests go on
// to the default model at once instead of waiting for one that hangs.
func (g *generator) ownCluster() *clusterv3.Cluster {
	cluster := g.newCluster(own, g.address(g.GetEnvoy().GetPointsmanAddress()))
	cluster.ConnectTimeout = seconds(pointsmanConnectTimeout)
	cluster.HealthChecks = []*corev3.HealthCheck{healthCheck()}
	cluster.IgnoreHealthOnHostRemoval = true
	cluster.CommonLbConfig = &clusterv3.Cluster_CommonLbConfig{HealthyPanicThreshold: &typev3.Percent{Value: 0}}
	cluster.TypedExtensionProtocolOptions = map[string]*anypb.Any{
		httpOptions: g.pack(&upstreamv3.HttpProtocolOptions{
			UpstreamProtocolOptions: &upstreamv3.HttpProtocolOptions_ExplicitHttpConfig_{
				ExplicitHttpConfig: &upstreamv3.HttpProtocolOptions_ExplicitHttpConfig{
					ProtocolConfig: &upstreamv3.HttpProtocolOptions_ExplicitHttpConfig_Http2ProtocolOptions{
						Http2ProtocolOptions: &corev3.Http2ProtocolOptions{},
					},
				},
			},
		}),
	}
	return cluster
}

// healthCheck asks pointsman's gRPC health service, at the same pace whether
// or not there is traffic: Envoy's pause without traffic is a minute.
func healthCheck() *corev3.HealthCheck {
	return &corev3.HealthCheck{
		Timeout:            seconds(healthTimeout),
		Interval:           seconds(healthInterval),
		NoTrafficInterval:  seconds(healthInterval),
		UnhealthyInterval:  seconds(sickInterval),
		UnhealthyThreshold: wrapperspb.UInt32(failuresToSick),
		HealthyThreshold:   wrapperspb.UInt32(1),
		HealthChecker:      &corev3.HealthCheck_GrpcHealthCheck_{GrpcHealthCheck: &corev3.HealthCheck_GrpcHealthCheck{}},
	}
}
