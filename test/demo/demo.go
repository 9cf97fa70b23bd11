package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pointsman/pointsman/test/envoybin"
)

// demo does what the options ask for.
func demo(ctx context.Context, o options, stdout, stderr io.Writer) error {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(stderr, "demo: "+format+"\n", args...) }
	say("looking for Envoy: %s, PATH, a download of about 100 MB that is kept", envoybin.Variable)
	binary, err := envoybin.Path(ctx)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "pointsman-demo-")
	if err != nil {
		return err
	}
	r := &rig{dir: dir}
	err = perform(ctx, r, binary, o, stdout, say)
	if stopErr := r.stop(); err == nil { // after an error, what is wrong with a child is known
		err = stopErr
	}
	if err == nil || ctx.Err() != nil {
		return errors.Join(err, clearAway(dir, o.keep, say))
	}
	say("configuration, bootstrap and logs are in %s", dir)
	return err
}

// perform starts everything, and either plays the story or stays.
func perform(ctx context.Context, r *rig, envoyBinary string, o options, stdout io.Writer, say saying) error {
	if err := r.start(ctx, envoyBinary, say); err != nil {
		return err
	}
	if o.stay {
		return stay(ctx, r, stdout)
	}
	s := &story{rig: r, say: say, report: report{Problems: []string{}}}
	if err := s.tell(ctx); err != nil {
		return err
	}
	return s.report.write(o, stdout)
}

// saying tells a person how far the demo is.
type saying func(format string, args ...any)

// clearAway removes the folder, unless it is to be kept.
func clearAway(dir string, keep bool, say saying) error {
	if keep {
		say("configuration, bootstrap and logs are in %s", dir)
		return nil
	}
	say("configuration, bootstrap and logs were in %s; --keep keeps them", dir)
	return os.RemoveAll(dir)
}

// write writes the report in the form that was asked for. Problems are an
// error, after the report.
func (r *report) write(o options, stdout io.Writer) error {
	write := func() error { return r.writeText(stdout, styleOf(stdout)) }
	if o.json {
		write = func() error { return r.writeJSON(stdout) }
	}
	if err := write(); err != nil {
		return err
	}
	if len(r.Problems) > 0 {
		return errors.New("not everything is as it should be:\n" + strings.Join(r.Problems, "\n"))
	}
	return nil
}
