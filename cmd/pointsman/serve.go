package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/accesslog"
	"github.com/pointsman/pointsman/filter/classify/llm"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/extproc"
	"github.com/pointsman/pointsman/filter/server"
)

type serveOptions struct {
	config string
	level  zapcore.Level
	drain  server.Drain
}

func newServeCommand() *cobra.Command {
	var options serveOptions
	command := &cobra.Command{
		Use:   "serve --config FILE",
		Short: "Serve Envoy's requests",
		Long: `Serve answers Envoy's ext_proc filter, its access-log service and gRPC health
checks on listen.grpc, and GET /healthz and /readyz on listen.admin. Each
finished request is one line of JSON in the decision log, on stdout unless
decision_log names a file; pointsman's own log is on stderr.

SIGTERM or SIGINT stop it in order: first it says that it is not ready, so that
Envoy sends new requests elsewhere; after the grace it finishes what it has
begun. A second signal stops it at once.`,
		Example: `  pointsman serve --config pointsman.yaml
  pointsman serve --config pointsman.yaml >> decisions.jsonl

  # Where Envoy checks health every 5 s only.
  pointsman serve --config pointsman.yaml --drain-grace 12s`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error { return serve(command, options) },
	}
	configFlag(command, &options.config)
	flags := command.Flags()
	flags.TextVar(&options.level, "log-level", zapcore.InfoLevel, "least `level` of what is logged: debug, info, warn or error")
	flags.DurationVar(&options.drain.Grace, "drain-grace", 2*time.Second,
		"how long to serve on after saying not ready; more than the interval of Envoy's health checks")
	flags.DurationVar(&options.drain.Timeout, "drain-timeout", 10*time.Second, "how long to wait then for requests under way")
	return command
}

func serve(command *cobra.Command, options serveOptions) (err error) {
	cfg, err := config.Load(options.config)
	if err != nil {
		return err
	}
	logger := newLogger(command.ErrOrStderr(), options.level)
	pipeline, err := newPipeline(cfg, logger)
	if err != nil {
		return err
	}
	decisions, err := accesslog.OpenLog(cfg.GetDecisionLog(), command.OutOrStdout())
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, decisions.Close()) }()
	running, err := server.New(cfg, server.Services{
		Processor: extproc.New(pipeline, int(cfg.GetLimits().GetMaxInflightBytes())),
		AccessLog: accesslog.New(cfg, decisions, logger),
	}, options.drain, logger)
	if err != nil {
		return err
	}
	return runUntilSignal(command.Context(), running, logger)
}

// newPipeline asks an LLM where the configuration has one.
func newPipeline(cfg *config.Config, logger *zap.Logger) (*filter.Pipeline, error) {
	pipeline, err := filter.New(cfg)
	if err != nil || cfg.GetClassifier().GetLlm() == nil {
		return pipeline, err
	}
	asked, err := llm.New(cfg, logger)
	if err != nil {
		return nil, err
	}
	return pipeline.Asking(asked), nil
}

// runUntilSignal drains at the first signal and cuts the drain short at the
// second.
func runUntilSignal(ctx context.Context, running *server.Server, logger *zap.Logger) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	done := make(chan struct{})
	defer close(done)
	go func() {
		for _, act := range []func(){cancel, running.Stop} {
			select {
			case received := <-signals:
				logger.Info("signal", zap.Stringer("signal", received))
				act()
			case <-done:
				return
			}
		}
	}()
	return running.Run(ctx)
}

func firstError(first, second error) error {
	if first != nil {
		return first
	}
	return second
}
