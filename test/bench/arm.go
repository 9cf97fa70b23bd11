package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
	"time"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/test/child"
)

//go:embed pointsman.yaml
var configuration string

// An arm is an Envoy and the external processor behind it.
type arm struct {
	addresses

	name string
	dir  string // of its configuration, bootstrap and logs
	// unlogged takes the access logs out of Envoy's bootstrap.
	unlogged bool

	processor, envoy *child.Process
	idle             int64 // resident bytes of the processor before any request
}

// addresses fill in the configuration.
type addresses struct {
	GRPC, Admin, Listener, EnvoyAdmin string
	Upstream                          string
	Mode                              string // envoy.body_mode
	Log                               string
	Limits                            string // empty for the defaults
}

// processorOf is the command of a processor, given the arm whose it is.
type processorOf func(*arm) (program string, args []string)

// startArm starts a processor and an Envoy in front of it. What it has started
// is in the arm, also after an error.
func startArm(ctx context.Context, a *arm, processor processorOf, envoyBinary string) error {
	bootstrap, err := a.configure()
	if err != nil {
		return fmt.Errorf("%s: %w", a.name, err)
	}
	program, args := processor(a)
	if a.processor, err = child.Start(ctx, a.name, a.file("processor.log"), program, args...); err != nil {
		return err
	}
	a.envoy, err = child.Start(ctx, "envoy of "+a.name, a.file("envoy.log"), envoyBinary,
		"--config-path", bootstrap, "--use-dynamic-base-id", "--concurrency", "2", "--log-level", "error")
	if err != nil {
		return err
	}
	if err = a.envoy.Answers(ctx, "http://"+a.EnvoyAdmin+"/ready"); err != nil {
		return err
	}
	if err = a.found(ctx); err != nil {
		return err
	}
	a.idle, err = residentBytes(a.processor.ID())
	return err
}

func (a *arm) file(name string) string { return filepath.Join(a.dir, name) }

// configure writes the arm's configuration, and Envoy's bootstrap from it.
func (a *arm) configure() (bootstrap string, err error) {
	a.Log = a.file("decisions.jsonl")
	if err = child.FreeAddresses(&a.GRPC, &a.Admin, &a.Listener, &a.EnvoyAdmin); err != nil {
		return "", err
	}
	var text bytes.Buffer
	if err = template.Must(template.New("pointsman.yaml").Parse(configuration)).Execute(&text, a.addresses); err != nil {
		return "", err
	}
	if err = os.WriteFile(a.file("pointsman.yaml"), text.Bytes(), 0o600); err != nil {
		return "", err
	}
	cfg, err := config.Parse("pointsman.yaml", text.Bytes())
	if err != nil {
		return "", err
	}
	generated, err := envoy.Bootstrap(cfg)
	if err != nil {
		return "", err
	}
	if a.unlogged {
		if err = removeLogs(generated); err != nil {
			return "", err
		}
	}
	out, err := envoy.YAML(generated)
	if err != nil {
		return "", err
	}
	return a.file("envoy.yaml"), os.WriteFile(a.file("envoy.yaml"), out, 0o600)
}

func removeLogs(bootstrap *bootstrapv3.Bootstrap) error {
	packed := bootstrap.GetStaticResources().GetListeners()[0].GetFilterChains()[0].GetFilters()[0].GetTypedConfig()
	manager := new(hcmv3.HttpConnectionManager)
	if err := packed.UnmarshalTo(manager); err != nil {
		return err
	}
	manager.AccessLog = nil
	return packed.MarshalFrom(manager)
}

// found waits until Envoy holds the processor to be healthy.
func (a *arm) found(ctx context.Context) error {
	const gauge = "cluster.pointsman.membership_healthy"
	return child.Await(ctx, a.name+" is found by Envoy", func(ctx context.Context) error {
		if err := a.processor.Alive(); err != nil {
			return err
		}
		body, err := child.Fetch(ctx, "http://"+a.EnvoyAdmin+"/stats?filter=^"+gauge+"$")
		if err == nil && string(bytes.TrimSpace(body)) != gauge+": 1" {
			err = fmt.Errorf("stats say %q", bytes.TrimSpace(body))
		}
		return err
	})
}

// cpuTimes are what an arm's processes have used.
type cpuTimes struct{ processor, envoy time.Duration }

func (a *arm) cpuTimes() (used cpuTimes, err error) {
	if used.processor, err = cpuTime(a.processor.ID()); err != nil {
		return used, err
	}
	used.envoy, err = cpuTime(a.envoy.ID())
	return used, err
}

// stop stops what was started.
func (a *arm) stop() error {
	var errs []error
	for _, process := range []*child.Process{a.envoy, a.processor} {
		if process != nil {
			errs = append(errs, process.Stop())
		}
	}
	return errors.Join(errs...)
}
