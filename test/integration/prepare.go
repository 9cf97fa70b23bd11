package integration

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/log"
)

// Images that must be there before the tests; test/images makes them.
const (
	envoyImage = "envoyproxy/envoy:v1.40.0"
	goImage    = "golang:1.26-bookworm"
)

// Prepare sets testcontainers up, sees that an engine and the images are
// there, and builds pointsman and the stand-in provider from this tree.
func Prepare(ctx context.Context) error {
	if err := setEnvironment(); err != nil {
		return err
	}
	docker, err := connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = docker.Close() }()
	for _, image := range []string{envoyImage, goImage} {
		if _, err := docker.ImageInspect(ctx, image); err != nil {
			return fmt.Errorf("image %s is missing: run `make images` (`make test` does it): %w", image, err)
		}
	}
	return errors.Join(buildPointsman(ctx), buildProvider(ctx))
}

// connect returns a client of an engine that answers.
func connect(ctx context.Context) (*testcontainers.DockerClient, error) {
	docker, err := testcontainers.NewDockerClientWithOpts(ctx)
	if err != nil {
		return nil, fmt.Errorf("no Docker engine answers: run `make docker` (`make test` does it): %w", err)
	}
	if _, err := docker.Ping(ctx, client.PingOptions{}); err != nil {
		return nil, errors.Join(
			fmt.Errorf("no Docker engine answers: run `make docker` (`make test` does it): %w", err), docker.Close())
	}
	return docker, nil
}

// setEnvironment gives testcontainers what it cannot find out. Whatever is set
// already stays.
func setEnvironment() error {
	log.SetDefault(log.NewNoopLogger())
	// The reaper is one more image to pull; every stack cleans up after itself.
	settings := map[string]string{"TESTCONTAINERS_RYUK_DISABLED": "true"}
	if _, err := os.Stat("/.dockerenv"); err == nil {
		// Inside a container that runs an engine of its own, published ports
		// are here, and not at the gateway where they are looked for.
		settings["TESTCONTAINERS_HOST_OVERRIDE"] = "127.0.0.1"
	}
	for name, value := range settings {
		if _, set := os.LookupEnv(name); set {
			continue
		}
		if err := os.Setenv(name, value); err != nil {
			return fmt.Errorf("set %s: %w", name, err)
		}
	}
	return nil
}
