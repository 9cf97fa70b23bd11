package server

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

func TestReadyzFollowsTheState(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		state int32
		code  int
		body  string
	}{
		"starting": {starting, http.StatusServiceUnavailable, "starting\n"},
		"ready":    {ready, http.StatusOK, "ready\n"},
		"draining": {draining, http.StatusServiceUnavailable, "draining\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var state atomic.Int32
			state.Store(test.state)
			recorder := httptest.NewRecorder()
			newAdmin(&state, zap.NewNop()).Handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/readyz", nil))
			assert.Equal(t, test.code, recorder.Code)
			assert.Equal(t, test.body, recorder.Body.String())
		})
	}
}

func TestAdminPortLogsItsTroubleAsWarnings(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zapcore.WarnLevel)
	newAdmin(&atomic.Int32{}, zap.New(core)).ErrorLog.Print("http: superfluous call")
	assert.Equal(t, 1, logs.FilterMessageSnippet("admin port: http: superfluous call").Len())
}
