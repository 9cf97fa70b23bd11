package integration

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/network"
	"github.com/testcontainers/testcontainers-go/wait"
)

// startupLimit bounds how long a container may take to be ready.
const startupLimit = 60 * time.Second

// labels mark what tests leave behind when they are killed: `make clean` finds
// it by them.
func labels() map[string]string { return map[string]string{"pointsman.test": "true"} }

// A member is one container of a stack.
type member struct {
	name      string // on the network
	container *testcontainers.DockerContainer
	docker    *testcontainers.DockerClient
}

// A port is a published port of a container, and the path that answers 200
// once the program behind it is ready; no path is nothing to wait for.
type port struct {
	number, ready string
}

// run starts a container and waits until it is ready. The container belongs to
// the stack at once, also where it never gets ready.
func (s *Stack) run(ctx context.Context, name, image string, ports []port, more ...testcontainers.ContainerCustomizer) (*member, error) {
	options := make([]testcontainers.ContainerCustomizer, 0, len(more)+2+2*len(ports))
	options = append(options, network.WithNetwork([]string{name}, s.network), testcontainers.WithLabels(labels()))
	for _, p := range ports {
		options = append(options, testcontainers.WithExposedPorts(p.number+"/tcp"))
		if p.ready != "" {
			options = append(options, testcontainers.WithWaitStrategyAndDeadline(startupLimit,
				wait.ForHTTP(p.ready).WithPort(p.number+"/tcp").WithPollInterval(pollInterval)))
		}
	}
	container, err := testcontainers.Run(ctx, image, append(options, more...)...)
	m := &member{name: name, container: container, docker: s.docker}
	if container != nil {
		s.members = append(s.members, m)
	}
	if err != nil {
		stdout, stderr, _ := m.output(ctx)
		return nil, fmt.Errorf("start %s: %w\n%s%s", name, err, stdout, stderr)
	}
	return m, nil
}

// url is where a port is published.
func (m *member) url(ctx context.Context, number string) (string, error) {
	url, err := m.container.PortEndpoint(ctx, number+"/tcp", "http")
	if err != nil {
		return "", fmt.Errorf("port %s of %s: %w", number, m.name, err)
	}
	return url, nil
}

// output is all that the container has written so far, over all its starts.
func (m *member) output(ctx context.Context) (stdout, stderr []byte, err error) {
	if m.container == nil {
		return nil, nil, nil
	}
	logs, err := m.docker.ContainerLogs(ctx, m.container.GetContainerID(), client.ContainerLogsOptions{ShowStdout: true, ShowStderr: true})
	if err != nil {
		return nil, nil, fmt.Errorf("logs of %s: %w", m.name, err)
	}
	defer func() { _ = logs.Close() }()
	var out, errs bytes.Buffer
	if _, err := stdcopy.StdCopy(&out, &errs, logs); err != nil {
		return nil, nil, fmt.Errorf("logs of %s: %w", m.name, err)
	}
	return out.Bytes(), errs.Bytes(), nil
}

func (m *member) remove(ctx context.Context) error {
	// Nothing is worth waiting for: tests that look at a graceful end stop the
	// container themselves.
	if err := testcontainers.TerminateContainer(m.container,
		testcontainers.StopContext(ctx), testcontainers.StopTimeout(0)); err != nil {
		return errors.Join(fmt.Errorf("remove %s", m.name), err)
	}
	return nil
}
