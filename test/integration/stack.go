package integration

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/testcontainers/testcontainers-go"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/test/provider"
)

// A Stack is a pointsman, its Envoy and the providers of one configuration,
// in containers.
type Stack struct {
	// Config is what pointsman runs with, and what Envoy's configuration was
	// generated from.
	Config *config.Config
	// URL is Envoy's listener, where clients send their requests.
	URL string
	// AdminURL is Envoy's admin interface.
	AdminURL string
	// Providers are the stand-ins, by the name of their cluster.
	Providers map[string]provider.Client

	docker    *testcontainers.DockerClient
	network   *testcontainers.DockerNetwork
	address   netip.Addr // pointsman's, for as long as the stack lives
	pointsman *member
	envoy     *member
	members   []*member // in the order in which they were started
}

// A Setup is what a stack is made from.
type Setup struct {
	// File is pointsman's configuration. Its clusters' hosts become the
	// providers' names on the network.
	File string
	// Envoy holds further files for Envoy's container, by their paths there.
	Envoy map[string][]byte
	// Certificates are what the providers of clusters with TLS show, by the
	// cluster's name: certificate and key in one PEM text.
	Certificates map[string][]byte
}

// Start starts a stack. The caller closes it.
func Start(ctx context.Context, setup Setup) (*Stack, error) {
	loaded, err := config.Load(setup.File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setup.File, err)
	}
	docker, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	s := &Stack{Config: loaded, Providers: map[string]provider.Client{}, docker: docker}
	if err := s.start(ctx, setup); err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	return s, nil
}

func (s *Stack) start(ctx context.Context, setup Setup) error {
	if err := s.startNetwork(ctx); err != nil {
		return err
	}
	for _, cluster := range s.Config.GetClusters() {
		if err := s.startProvider(ctx, cluster, setup.Certificates[cluster.GetName()]); err != nil {
			return err
		}
	}
	if err := s.startPointsman(ctx, setup.File); err != nil {
		return err
	}
	return s.startEnvoy(ctx, setup.Envoy)
}

// Close removes the stack's containers and its network.
func (s *Stack) Close(ctx context.Context) error {
	var errs []error
	for _, m := range s.members {
		errs = append(errs, m.remove(ctx))
	}
	if s.network != nil {
		errs = append(errs, s.network.Remove(ctx))
	}
	return errors.Join(append(errs, s.docker.Close())...)
}

// models lists what the provider behind a cluster serves.
func (s *Stack) models(cluster string) []string {
	var names []string
	for _, model := range s.Config.GetModels() {
		if model.GetCluster() == cluster {
			names = append(names, model.GetUpstreamModel())
		}
	}
	return names
}

// hostAndPort splits an address of the configuration.
func hostAndPort(address string) (host, port string, err error) {
	host, port, err = net.SplitHostPort(address)
	if err != nil {
		return "", "", fmt.Errorf("address %q: %w", address, err)
	}
	return host, port, nil
}
