package integration

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/testcontainers/testcontainers-go"

	"github.com/pointsman/pointsman/envoy"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
	"github.com/pointsman/pointsman/test/provider"
)

// Where the configurations find their place in the containers.
const (
	pointsmanFile = "/etc/pointsman/pointsman.yaml"
	envoyFile     = "/etc/envoy/envoy.yaml"
	certificate   = "/etc/provider.pem"
	readable      = 0o644
)

// controlPort is where a provider behind TLS is steered, in plain text.
const controlPort = "8080"

func (s *Stack) startProvider(ctx context.Context, cluster *configv1.Cluster, pem []byte) error {
	host, number, err := hostAndPort(cluster.GetAddress())
	if err != nil {
		return err
	}
	command := []string{"-name", cluster.GetName(), "-models", strings.Join(s.models(cluster.GetName()), ",")}
	var files []testcontainers.ContainerFile
	if cluster.GetTls() != nil {
		command = append(command, "-tls", ":"+number, "-certificate", certificate)
		files = append(files, content(certificate, pem))
		number = controlPort
	}
	m, err := s.run(ctx, host, providerImage, []port{{number, provider.ReadyPath}},
		testcontainers.WithCmd(append(command, "-listen", ":"+number)...), testcontainers.WithFiles(files...))
	if err != nil {
		return err
	}
	url, err := m.url(ctx, number)
	s.Providers[cluster.GetName()] = provider.Client{URL: url}
	return err
}

// content is a file in a container.
func content(path string, text []byte) testcontainers.ContainerFile {
	return testcontainers.ContainerFile{Reader: bytes.NewReader(text), ContainerFilePath: path, FileMode: readable}
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

func (s *Stack) startEnvoy(ctx context.Context, further map[string][]byte) error {
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
	files := []testcontainers.ContainerFile{content(envoyFile, text)}
	for path, text := range further {
		files = append(files, content(path, text))
	}
	s.envoy, err = s.run(ctx, "envoy", envoyImage, []port{{listener, ""}, {admin, "/ready"}},
		testcontainers.WithCmd("-c", envoyFile, "--concurrency", "2", "--log-level", "warning"),
		testcontainers.WithFiles(files...))
	if err != nil {
		return err
	}
	if s.URL, err = s.envoy.url(ctx, listener); err != nil {
		return err
	}
	s.AdminURL, err = s.envoy.url(ctx, admin)
	return err
}
