package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/test/child"
)

// A rig is everything that the demo starts, and where it is.
type rig struct {
	settings

	dir      string // of configuration, bootstrap, logs and the pointsman binary
	cfg      *config.Config
	standIns []*standIn

	pointsman, envoy *child.Process
}

// The files of a rig's folder.
const (
	binaryFile       = "pointsman"
	configFile       = "pointsman.yaml"
	bootstrapFile    = "envoy.yaml"
	decisionLogFile  = "decisions.jsonl"
	pointsmanLogFile = "pointsman.log"
	envoyLogFile     = "envoy.log"
)

func (r *rig) file(name string) string { return filepath.Join(r.dir, name) }

// url is where clients send their requests.
func (r *rig) url() string { return "http://" + r.listener }

// start starts everything, says what it is at, and returns when requests can be
// sent. What it has started is in r, also after an error.
func (r *rig) start(ctx context.Context, envoyBinary string, say saying) error {
	root, err := child.ModuleRoot(ctx)
	if err != nil {
		return err
	}
	say("building pointsman")
	if err := child.Build(ctx, root, "./cmd/pointsman", r.file(binaryFile)); err != nil {
		return err
	}
	say("starting pointsman and Envoy (%s)", envoyBinary)
	if err := r.configure(ctx, filepath.Join(root, "deploy", "pointsman.yaml")); err != nil {
		return err
	}
	if err := r.startPointsman(ctx); err != nil {
		return err
	}
	return r.startEnvoy(ctx, envoyBinary)
}

// configure starts the providers that a configuration names, and writes it
// with everyone's addresses, and Envoy's bootstrap from it.
func (r *rig) configure(ctx context.Context, template string) error {
	text, err := os.ReadFile(template)
	if err != nil {
		return err
	}
	if r.cfg, err = config.Parse(template, text); err != nil {
		return err
	}
	if r.standIns, err = startStandIns(ctx, r.cfg); err != nil {
		return err
	}
	if text, err = r.settle(text); err != nil {
		return fmt.Errorf("%s: %w", template, err)
	}
	if err = os.WriteFile(r.file(configFile), text, 0o600); err != nil { //nolint:gosec // the same
		return err
	}
	if r.cfg, err = config.Load(r.file(configFile)); err != nil {
		return err
	}
	return r.writeBootstrap()
}

// settle chooses addresses and files, and puts them into the configuration.
func (r *rig) settle(text []byte) ([]byte, error) {
	r.clusters = make(map[string]string, len(r.standIns))
	for _, one := range r.standIns {
		r.clusters[one.cluster] = one.address
	}
	r.decisionLog = r.file(decisionLogFile)
	if err := child.FreeAddresses(&r.grpc, &r.admin, &r.listener, &r.envoyAdmin); err != nil {
		return nil, err
	}
	return r.applied(text)
}

func (r *rig) writeBootstrap() error {
	bootstrap, err := envoy.Bootstrap(r.cfg)
	if err != nil {
		return err
	}
	text, err := envoy.YAML(bootstrap)
	if err != nil {
		return err
	}
	return os.WriteFile(r.file(bootstrapFile), text, 0o600)
}

// startPointsman starts pointsman and waits until it is ready. Nobody sends it
// requests when it is stopped, so that it need not wait for them.
func (r *rig) startPointsman(ctx context.Context) (err error) {
	r.pointsman, err = child.Start(ctx, "pointsman", r.file(pointsmanLogFile), r.file(binaryFile),
		"serve", "--config", r.file(configFile), "--drain-grace", "0s")
	if err != nil {
		return err
	}
	return r.pointsman.Answers(ctx, "http://"+r.admin+"/readyz")
}

// killPointsman ends pointsman as a crash would.
func (r *rig) killPointsman() error {
	err := r.pointsman.Kill()
	r.pointsman = nil
	return err
}

// startEnvoy starts Envoy and waits until it is ready and has found pointsman.
func (r *rig) startEnvoy(ctx context.Context, binary string) (err error) {
	r.envoy, err = child.Start(ctx, "envoy", r.file(envoyLogFile), binary,
		"--config-path", r.file(bootstrapFile), "--use-dynamic-base-id", "--concurrency", "2", "--log-level", "warning")
	if err != nil {
		return err
	}
	if err := r.envoy.Answers(ctx, "http://"+r.envoyAdmin+"/ready"); err != nil {
		return err
	}
	return r.found(ctx)
}

// found waits until Envoy holds pointsman to be healthy.
func (r *rig) found(ctx context.Context) error {
	return child.Await(ctx, "envoy finds pointsman", func(ctx context.Context) error {
		const gauge = "cluster.pointsman.membership_healthy"
		healthy, err := r.stats(ctx, "^"+gauge+"$")
		if err == nil && healthy[gauge] != 1 {
			err = fmt.Errorf("%s is %d, want 1", gauge, healthy[gauge])
		}
		return err
	})
}

// stop stops what was started, clients' side first.
func (r *rig) stop() error {
	var errs []error
	for _, c := range []*child.Process{r.envoy, r.pointsman} {
		if c != nil {
			errs = append(errs, c.Stop())
		}
	}
	return errors.Join(append(errs, stopStandIns(r.standIns))...)
}
