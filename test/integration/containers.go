package integration

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/testcontainers/testcontainers-go"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/test/provider"
)

// Where the configurations find their place in the containers.
const (
	pointsmanFile = "/etc/pointsman/pointsman.yaml"
	envoyFile     = "/etc/envoy/envoy.yaml"
	readable      = 0o644
)

func (s *Stack) startProvider(ctx context.Context, cluster, address string) error {
	host, number, err := hostAndPort(address)
	if err != nil {
		return err
	}
	m, err := s.run(ctx, host, providerImage, []port{{number, provider.ReadyPath}}, testcontainers.WithCmd(
		"-listen", ":"+number, "-name", cluster, "-models", strings.Join(s.models(cluster), ",")))
	if err != nil {
		return err
	}
	url, err := m.url(ctx, number)
	s.Providers[cluster] = provider.Client{URL: url}
	return err
}

// startPointsman runs the image as it is, with the configuration where it
// looks for one.
func (s *Stack) startPointsman(ctx context.Context, file string) error {
	_, number, err := hostAndPort(s.Config.GetListen().GetAdmin())
	if err != nil {
		return err
	}
	host, _, err := hostAndPort(s.Config.GetEnvoy().GetPointsmanAddress())
	if err != nil {
		return err
	}
	s.pointsman, err = s.run(ctx, host, pointsmanImage, []port{{number, "/readyz"}}, fixed(s.address),
		testcontainers.WithFiles(testcontainers.ContainerFile{HostFilePath: file, ContainerFilePath: pointsmanFile, FileMode: readable}))
	return err
}

func (s *Stack) startEnvoy(ctx context.Context) error {
	bootstrap, err := envoy.Bootstrap(s.Config)
	if err != nil {
		return fmt.Errorf("generate Envoy's configuration: %w", err)
	}
	text, err := envoy.YAML(bootstrap)
	if err != nil {
		return fmt.Errorf("generate Envoy's configuration: %w", err)
	}
	_, listener, err := hostAndPort(s.Config.GetEnvoy().GetListener())
	if err != nil {
		return err
	}
	_, admin, err := hostAndPort(s.Config.GetEnvoy().GetAdmin())
	if err != nil {
		return err
	}
	s.envoy, err = s.run(ctx, "envoy", envoyImage, []port{{listener, ""}, {admin, "/ready"}},
		testcontainers.WithCmd("-c", envoyFile, "--concurrency", "2", "--log-level", "warning"),
		testcontainers.WithFiles(testcontainers.ContainerFile{Reader: bytes.NewReader(text), ContainerFilePath: envoyFile, FileMode: readable}))
	if err != nil {
		return err
	}
	if s.URL, err = s.envoy.url(ctx, listener); err != nil {
		return err
	}
	s.AdminURL, err = s.envoy.url(ctx, admin)
	return err
}
