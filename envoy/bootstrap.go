package envoy

import (
	"errors"
	"fmt"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/pointsman/pointsman/filter/config"
)

// ErrNoClusters is the error for a configuration that leaves `clusters` out.
var ErrNoClusters = errors.New("clusters: none are configured, so the providers' addresses are not known: " +
	"list each cluster that models name, with its address; in a mesh that has them already, " +
	"add pointsman to the mesh's own configuration instead of generating one")

// own is what pointsman's own things are called in Envoy.
const own = "pointsman"

// Bootstrap is a complete Envoy configuration for cfg. It fails with
// ErrNoClusters where cfg has no clusters, and with the offending value where
// cfg was not made by package config and holds what that package refuses.
func Bootstrap(cfg *config.Config) (*bootstrapv3.Bootstrap, error) {
	if len(cfg.GetClusters()) == 0 {
		return nil, ErrNoClusters
	}
	g := &generator{Config: cfg}
	bootstrap := &bootstrapv3.Bootstrap{
		// Envoy's access-log service does not work without a node.
		Node:  &corev3.Node{Id: own + "-envoy", Cluster: own},
		Admin: &bootstrapv3.Admin{Address: g.address(cfg.GetEnvoy().GetAdmin()).proto()},
		StaticResources: &bootstrapv3.Bootstrap_StaticResources{
			Listeners: g.listeners(),
			Clusters:  g.clusters(),
			Secrets:   g.secrets(),
		},
	}
	if err := errors.Join(g.errs...); err != nil {
		return nil, err
	}
	return bootstrap, nil
}

// generator puts the pieces of a bootstrap together. It keeps errors for later,
// so that the pieces can be plain expressions.
type generator struct {
	*config.Config

	errs []error
}

// pack wraps an extension's configuration. The bytes are deterministic, so that
// equal configurations are equal messages.
func (g *generator) pack(message proto.Message) *anypb.Any {
	packed := &anypb.Any{}
	if err := anypb.MarshalFrom(packed, message, proto.MarshalOptions{Deterministic: true}); err != nil {
		g.errs = append(g.errs, fmt.Errorf("pack %s: %w", message.ProtoReflect().Descriptor().FullName(), err))
	}
	return packed
}
