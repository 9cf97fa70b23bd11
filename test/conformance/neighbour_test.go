package conformance

import (
	"net"
	"path/filepath"
	"slices"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
)

// A place is where a neighbour stands in Envoy's filter chain.
type place string

const (
	alone  place = "alone"
	behind place = "behind" // pointsman comes second
	before place = "before" // pointsman comes first
)

// A chain is pointsman's neighbourhood: no other external processor, or one.
type chain struct {
	place place
	mode  string // of the neighbour
}

func (c chain) String() string {
	if c.place == alone {
		return string(alone)
	}
	return string(c.place) + " " + c.mode
}

// bodyModes are the modes by their names in pointsman's configuration.
var bodyModes = map[string]filterv3.ProcessingMode_BodySendMode{
	buffered: filterv3.ProcessingMode_BUFFERED,
	duplex:   filterv3.ProcessingMode_FULL_DUPLEX_STREAMED,
}

// install serves the neighbour and puts it into Envoy's chain.
func (c chain) install(tb testing.TB, bootstrap *bootstrapv3.Bootstrap) {
	tb.Helper()
	if c.place == alone {
		return
	}
	resources := bootstrap.GetStaticResources()
	resources.Clusters = append(resources.GetClusters(), neighbourCluster(resources, serveNeighbour(tb)))
	packed, err := anypb.New(c.processor())
	require.NoError(tb, err)
	editManager(tb, bootstrap, func(manager *hcmv3.HttpConnectionManager) {
		at := slices.IndexFunc(manager.GetHttpFilters(), func(filter *hcmv3.HttpFilter) bool {
			return filter.GetName() == "envoy.filters.http.ext_proc"
		})
		if c.place == before {
			at++
		}
		manager.HttpFilters = slices.Insert(manager.GetHttpFilters(), at, &hcmv3.HttpFilter{
			Name: "neighbour", ConfigType: &hcmv3.HttpFilter_TypedConfig{TypedConfig: packed},
		})
	})
}

func (c chain) processor() *filterv3.ExternalProcessor {
	trailers := filterv3.ProcessingMode_SKIP
	if c.mode == duplex {
		trailers = filterv3.ProcessingMode_SEND
	}
	return &filterv3.ExternalProcessor{
		GrpcService: &corev3.GrpcService{TargetSpecifier: &corev3.GrpcService_EnvoyGrpc_{
			EnvoyGrpc: &corev3.GrpcService_EnvoyGrpc{ClusterName: "neighbour"},
		}},
		MessageTimeout:           durationpb.New(requestTimeout),
		AllowContentLengthHeader: c.mode == duplex,
		ProcessingMode: &filterv3.ProcessingMode{
			RequestHeaderMode:   filterv3.ProcessingMode_SEND,
			RequestBodyMode:     bodyModes[c.mode],
			RequestTrailerMode:  trailers,
			ResponseHeaderMode:  filterv3.ProcessingMode_SKIP,
			ResponseTrailerMode: filterv3.ProcessingMode_SKIP,
		},
	}
}

// neighbourCluster is pointsman's cluster, at another address.
func neighbourCluster(resources *bootstrapv3.Bootstrap_StaticResources, socket string) *clusterv3.Cluster {
	clusters := resources.GetClusters()
	at := slices.IndexFunc(clusters, func(cluster *clusterv3.Cluster) bool { return cluster.GetName() == "pointsman" })
	cluster := proto.CloneOf(clusters[at])
	cluster.Name = "neighbour"
	cluster.HealthChecks = nil
	cluster.LoadAssignment.ClusterName = "neighbour"
	endpoint := cluster.GetLoadAssignment().GetEndpoints()[0].GetLbEndpoints()[0].GetEndpoint()
	endpoint.Address = socketAddress(socket)
	return cluster
}

func serveNeighbour(tb testing.TB) (socket string) {
	tb.Helper()
	socket = filepath.Join(shortFolder(tb), "neighbour")
	listener, err := net.Listen("unix", socket)
	require.NoError(tb, err)
	server := grpc.NewServer(grpc.MaxRecvMsgSize(64 << 20))
	extprocv3.RegisterExternalProcessorServer(server, neighbour{})
	go func() { _ = server.Serve(listener) }()
	tb.Cleanup(server.Stop)
	return socket
}

// neighbour is an external processor that changes nothing.
type neighbour struct {
	extprocv3.UnimplementedExternalProcessorServer
}

// Process answers message by message, to the end of the stream.
func (neighbour) Process(stream extprocv3.ExternalProcessor_ProcessServer) error {
	mode := filterv3.ProcessingMode_BUFFERED
	for {
		message, err := stream.Recv()
		if err != nil {
			return nil //nolint:nilerr // Envoy is done
		}
		if announced := message.GetProtocolConfig(); announced != nil {
			mode = announced.GetRequestBodyMode()
		}
		if err := stream.Send(unchanged(message, mode)); err != nil {
			return err
		}
	}
}

func unchanged(message *extprocv3.ProcessingRequest, mode filterv3.ProcessingMode_BodySendMode) *extprocv3.ProcessingResponse {
	switch part := message.GetRequest().(type) {
	case *extprocv3.ProcessingRequest_RequestHeaders:
		return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestHeaders{}}
	case *extprocv3.ProcessingRequest_RequestTrailers:
		return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestTrailers{}}
	case *extprocv3.ProcessingRequest_RequestBody:
		response := &extprocv3.BodyResponse{}
		if mode == filterv3.ProcessingMode_FULL_DUPLEX_STREAMED {
			response.Response = &extprocv3.CommonResponse{BodyMutation: &extprocv3.BodyMutation{
				Mutation: &extprocv3.BodyMutation_StreamedResponse{StreamedResponse: &extprocv3.StreamedBodyResponse{
					Body: part.RequestBody.GetBody(), EndOfStream: part.RequestBody.GetEndOfStream(),
				}},
			}}
		}
		return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestBody{RequestBody: response}}
	default:
		return nil
	}
}
