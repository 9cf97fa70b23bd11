package server

import (
	"io"
	"log"
	"net/http"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
)

// What /readyz says. Only ready is 200.
const (
	starting int32 = iota
	ready
	draining
)

const (
	adminTimeout     = 10 * time.Second
	adminIdleTimeout = time.Minute
	adminHeaderBytes = 16 << 10
)

// newAdmin answers GET /healthz while the process lives, and GET /readyz by
// state: 200 when requests may be sent here, else 503.
func newAdmin(state *atomic.Int32, logger *zap.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		switch state.Load() {
		case ready:
			say(w, http.StatusOK, "ready")
		case draining:
			say(w, http.StatusServiceUnavailable, "draining")
		default:
			say(w, http.StatusServiceUnavailable, "starting")
		}
	})
	return &http.Server{
		Handler:           mux,
		ReadTimeout:       adminTimeout,
		ReadHeaderTimeout: adminTimeout,
		WriteTimeout:      adminTimeout,
		IdleTimeout:       adminIdleTimeout,
		MaxHeaderBytes:    adminHeaderBytes,
		ErrorLog:          log.New(warnings{logger}, "admin port: ", 0),
	}
}

func say(w http.ResponseWriter, code int, word string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, word+"\n") // the client may be gone
}

// warnings logs what net/http has to say.
type warnings struct{ logger *zap.Logger }

func (w warnings) Write(line []byte) (int, error) {
	w.logger.Warn(string(line))
	return len(line), nil
}
