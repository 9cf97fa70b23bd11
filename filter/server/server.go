package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"

	"github.com/pointsman/pointsman/filter/config"
)

// Services are what Envoy calls.
type Services struct {
	Processor extprocv3.ExternalProcessorServer
	AccessLog alsv3.AccessLogServiceServer
}

// Drain bounds how a server stops.
type Drain struct {
	// Grace is how long a server goes on as before after it has said that it is
	// no longer ready. It should be longer than the interval of Envoy's health
	// checks.
	Grace time.Duration
	// Timeout is how long it then waits for requests that have begun.
	Timeout time.Duration
}

// Server serves by one configuration. Its ports are open from New on.
type Server struct {
	logger *zap.Logger
	config *config.Config
	drain  Drain

	grpcListener  net.Listener
	adminListener net.Listener
	grpc          *grpc.Server
	admin         *http.Server
	health        *health.Server

	state      atomic.Int32
	endStreams context.CancelFunc // ends the streams that Envoy keeps open
	abort      chan struct{}      // closed by Stop
	abortOnce  sync.Once
}

// New opens the ports that cfg names. An error says which one could not be
// opened, and what to do.
func New(cfg *config.Config, services Services, drain Drain, logger *zap.Logger) (*Server, error) {
	grpcListener, err := listen("listen.grpc", cfg.GetListen().GetGrpc())
	if err != nil {
		return nil, err
	}
	adminListener, err := listen("listen.admin", cfg.GetListen().GetAdmin())
	if err != nil {
		return nil, errors.Join(err, grpcListener.Close())
	}
	streams, endStreams := context.WithCancel(context.Background())
	s := &Server{
		logger: logger, config: cfg, drain: drain,
		grpcListener: grpcListener, adminListener: adminListener,
		health:     newHealth(),
		endStreams: endStreams,
		abort:      make(chan struct{}),
	}
	s.grpc = newGRPC(cfg, services, s.health, streams, logger)
	s.admin = newAdmin(&s.state, logger)
	return s, nil
}

// Run serves until ctx is done, then drains, and returns nil. It returns an
// error when a port fails before that. A server runs once.
func (s *Server) Run(ctx context.Context) error {
	defer s.endStreams()
	failed := make(chan error, 2)
	go func() { failed <- s.grpc.Serve(s.grpcListener) }()
	go func() { failed <- s.admin.Serve(s.adminListener) }()
	s.becomeReady()
	select {
	case <-ctx.Done():
		s.stopInOrder(context.WithoutCancel(ctx))
		return nil
	case err := <-failed:
		s.grpc.Stop()
		return errors.Join(err, s.admin.Close())
	}
}

// Stop cuts short a drain, or makes the next one short: what is not finished
// then is cut off. It may be called at any time, and again.
func (s *Server) Stop() { s.abortOnce.Do(func() { close(s.abort) }) }

func (s *Server) becomeReady() {
	s.state.Store(ready)
	serving(s.health)
	s.logger.Info("ready",
		zap.String("grpc", addressOf(s.grpcListener)),
		zap.String("admin", addressOf(s.adminListener)),
		zap.String("config", s.config.Hash),
		zap.Int("models", len(s.config.GetModels())))
}
