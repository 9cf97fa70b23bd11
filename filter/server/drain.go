package server

import (
	"context"
	"time"

	"go.uber.org/zap"
)

// adminGrace is how long an admin request in flight may take at the very end.
const adminGrace = time.Second

// stopInOrder: readiness first, so that nothing new is sent here; then what is
// under way; the admin port last, so that readiness can be seen all along.
func (s *Server) stopInOrder(ctx context.Context) {
	s.state.Store(draining)
	s.health.Shutdown()
	s.logger.Info("draining", zap.Duration("grace", s.drain.Grace), zap.Duration("timeout", s.drain.Timeout))
	if s.waits(s.drain.Grace) {
		s.endStreams()
		s.finishRequests()
	} else {
		s.grpc.Stop()
	}
	s.stopAdmin(ctx)
	s.logger.Info("stopped")
}

// waits reports whether d has passed; Stop cuts it short.
func (s *Server) waits(d time.Duration) bool {
	select {
	case <-s.abort:
		return false
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.abort:
		return false
	}
}

func (s *Server) finishRequests() {
	finished := make(chan struct{})
	go func() {
		s.grpc.GracefulStop()
		close(finished)
	}()
	timer := time.NewTimer(s.drain.Timeout)
	defer timer.Stop()
	select {
	case <-finished:
		return
	case <-timer.C:
		s.logger.Warn("some requests did not finish in time and are cut off", zap.Duration("timeout", s.drain.Timeout))
	case <-s.abort:
		s.logger.Warn("told to stop at once: requests under way are cut off")
	}
	s.grpc.Stop()
}

func (s *Server) stopAdmin(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, adminGrace)
	defer cancel()
	if err := s.admin.Shutdown(ctx); err != nil {
		s.logger.Warn("admin port: a request is cut off", zap.Error(err))
	}
}
