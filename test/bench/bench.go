package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/pointsman/pointsman/test/child"
	"github.com/pointsman/pointsman/test/envoybin"
)

// bench measures everything and says what it found.
func bench(ctx context.Context, options options, stdout, stderr io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "pointsman-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(stderr, format+"\n", args...) }
	found := newReport(planFor(options.quick))
	for _, s := range setups() {
		say("%s: building and starting", s.name())
		rows, err := found.plan.measureAll(ctx, filepath.Join(dir, s.name()), s, say)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name(), err)
		}
		found.Rows = append(found.Rows, rows...)
	}
	return errors.Join(found.print(stdout, options.json), found.write(options.write))
}

// measureAll measures a setup in each of its sizes.
func (p plan) measureAll(ctx context.Context, dir string, s setup, say func(string, ...any)) (rows []row, err error) {
	pair, err := newPair(ctx, dir, s)
	defer func() { err = errors.Join(err, pair.stop()) }()
	if err != nil {
		return nil, err
	}
	for _, size := range s.sizes {
		say("%s: measuring %s", s.name(), bytesInWords(size))
		one, err := pair.compare(ctx, p, size)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", bytesInWords(size), err)
		}
		rows = append(rows, one)
	}
	return rows, nil
}

// A pair is what is measured, and what it is measured against, in front of one
// upstream.
type pair struct {
	setup           setup
	pointsman, echo *arm
	stopUpstream    func() error
}

// newPair starts a pair. What has been started is in it, also after an error.
func newPair(ctx context.Context, dir string, s setup) (*pair, error) {
	p := &pair{setup: s, stopUpstream: func() error { return nil }}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return p, err
	}
	envoyBinary, err := envoybin.Path(ctx)
	if err != nil {
		return p, err
	}
	upstream, stop, err := startUpstream(ctx)
	if err != nil {
		return p, err
	}
	p.stopUpstream = stop
	start := func(name, command string, processor processorOf) (*arm, error) {
		a := &arm{
			name: name, dir: filepath.Join(dir, name), unlogged: s.unlogged,
			addresses: addresses{Upstream: upstream, Mode: s.mode},
		}
		if failed := build(ctx, a, command); failed != nil {
			return a, failed
		}
		return a, startArm(ctx, a, processor, envoyBinary)
	}
	if p.pointsman, err = start("pointsman", "./cmd/pointsman", serve); err != nil {
		return p, err
	}
	p.echo, err = start("echo", "./test/bench/echo", echo)
	return p, err
}

func build(ctx context.Context, a *arm, command string) error {
	root, err := child.ModuleRoot(ctx)
	if err != nil {
		return err
	}
	if err := os.Mkdir(a.dir, 0o700); err != nil {
		return err
	}
	return child.Build(ctx, root, command, a.file(processorFile))
}

// processorFile is an arm's processor, built.
const processorFile = "processor"

func serve(a *arm) (program string, args []string) {
	return a.file(processorFile), []string{"serve", "--config", a.file("pointsman.yaml"), "--log-level", "warn", "--drain-grace", "0s"}
}

func echo(a *arm) (program string, args []string) {
	return a.file(processorFile), []string{"-listen", a.GRPC, "-model", "small"}
}

// compare has the arms take turns with bodies of one size. The first goes
// second in every other round.
func (p *pair) compare(ctx context.Context, plan plan, size int) (row, error) {
	content := body(size)
	r := row{Mode: p.setup.mode, Unlogged: p.setup.unlogged, Bytes: len(content)}
	for i := range plan.rounds {
		var both round
		turns := []turn{{p.pointsman, &both.Pointsman}, {p.echo, &both.Echo}}
		if i%2 == 1 {
			turns[0], turns[1] = turns[1], turns[0]
		}
		for _, t := range turns {
			var err error
			if *t.into, err = plan.measure(ctx, t.arm, content); err != nil {
				return r, err
			}
		}
		r.Rounds = append(r.Rounds, both)
	}
	r.summarise(p, plan.clients)
	return r, nil
}

type turn struct {
	arm  *arm
	into *sample
}

func (p *pair) stop() error {
	errs := []error{p.stopUpstream()}
	for _, a := range []*arm{p.pointsman, p.echo} {
		if a != nil {
			errs = append(errs, a.stop())
		}
	}
	return errors.Join(errs...)
}
