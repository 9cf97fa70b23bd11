package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// The exit codes, as those of pointsman.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program: the table or JSON on stdout, progress and errors on
// stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	began := false
	command := newCommand(func(options options) error {
		began = true
		return bench(ctx, options, stdout, stderr)
	})
	command.SetArgs(args)
	command.SetOut(stdout)
	command.SetErr(stderr)
	err := command.Execute()
	if err == nil {
		return exitOK
	}
	_, _ = fmt.Fprintln(stderr, "bench:", err)
	if began {
		return exitFailure
	}
	_, _ = fmt.Fprintln(stderr, "Run with --help for usage.")
	return exitUsage
}
