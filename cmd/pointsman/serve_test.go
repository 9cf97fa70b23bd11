package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	alv3 "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"
	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
)

const (
	soon = 20 * time.Second // longer than anything here takes
	tick = 5 * time.Millisecond
)

func writeConfig(t *testing.T, grpcAddress, decisionLog string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pointsman.yaml")
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `
listen: {grpc: "%s", admin: "127.0.0.1:0"}
decision_log: %s
virtual_models: [{name: auto}]
default_model: small
models:
  - name: small
    cluster: provider-a
    apis: [openai_chat_completions]
    tier: simple
    context_window: 128000
    price: {input: 0.10, output: 0.40}
`, grpcAddress, decisionLog), 0o600))
	return path
}

// process is a running pointsman.
type process struct {
	*exec.Cmd

	grpc, admin string
	stdout      *bytes.Buffer
	exited      chan error
}

func serveProcess(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{
		Cmd:    exec.Command(program, append([]string{"serve"}, args...)...),
		stdout: &bytes.Buffer{},
		exited: make(chan error, 1),
	}
	p.Stdout = p.stdout
	stderr, err := p.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() }) // it may have exited
	lines := bufio.NewReader(stderr)
	first, err := lines.ReadBytes('\n')
	require.NoError(t, err)
	var ready struct {
		Msg    string `json:"msg"`
		GRPC   string `json:"grpc"`
		Admin  string `json:"admin"`
		Config string `json:"config"`
		Models int    `json:"models"`
	}
	require.NoError(t, json.Unmarshal(first, &ready), string(first))
	assert.Equal(t, "ready", ready.Msg)
	assert.Equal(t, 1, ready.Models)
	assert.NotEmpty(t, ready.Config)
	p.grpc, p.admin = ready.GRPC, ready.Admin
	go func() {
		_, copying := io.Copy(io.Discard, lines)
		p.exited <- errors.Join(copying, p.Wait())
	}()
	return p
}

func (p *process) exit(t *testing.T) int {
	t.Helper()
	select {
	case err := <-p.exited:
		if _, ok := errors.AsType[*exec.ExitError](err); !ok {
			require.NoError(t, err)
		}
		return p.ProcessState.ExitCode()
	case <-time.After(soon):
		require.FailNow(t, "pointsman did not exit")
		return -1
	}
}

func (p *process) readyz(t *testing.T) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.admin+"/readyz", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func (p *process) dial(t *testing.T) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(p.grpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, conn.Close()) })
	return conn
}

func health(t *testing.T, conn *grpc.ClientConn) string {
	t.Helper()
	answer, err := grpc_health_v1.NewHealthClient(conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	require.NoError(t, err)
	return answer.GetStatus().String()
}

func TestServe_SIGTERMFlipsReadinessBeforeItStops(t *testing.T) {
	t.Parallel()
	p := serveProcess(t, "--config", writeConfig(t, "127.0.0.1:0", "stdout"), "--drain-grace", "1h")
	conn := p.dial(t)
	assert.Equal(t, http.StatusOK, p.readyz(t))
	assert.Equal(t, "SERVING", health(t, conn))
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.Eventually(t, func() bool { return p.readyz(t) == http.StatusServiceUnavailable }, soon, tick)
	assert.Equal(t, "NOT_SERVING", health(t, conn), "it still answers")
	require.NoError(t, p.Process.Signal(syscall.SIGTERM), "a second signal does not wait for the grace")
	assert.Equal(t, exitOK, p.exit(t))
}

func TestServe_CleanStopLeavesEveryRecordOnStdout(t *testing.T) {
	t.Parallel()
	p := serveProcess(t, "--config", writeConfig(t, "127.0.0.1:0", "stdout"), "--drain-grace", "0s")
	entries, err := alsv3.NewAccessLogServiceClient(p.dial(t)).StreamAccessLogs(t.Context())
	require.NoError(t, err)
	require.NoError(t, entries.Send(&alsv3.StreamAccessLogsMessage{LogEntries: &alsv3.StreamAccessLogsMessage_HttpLogs{
		HttpLogs: &alsv3.StreamAccessLogsMessage_HTTPAccessLogEntries{LogEntry: []*alv3.HTTPAccessLogEntry{{}}},
	}}))
	_, err = entries.CloseAndRecv()
	require.NoError(t, err)
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	assert.Equal(t, exitOK, p.exit(t))
	var record struct {
		Msg     string `json:"msg"`
		Outcome struct {
			Kind string `json:"kind"`
		} `json:"outcome"`
	}
	require.NoError(t, json.Unmarshal(p.stdout.Bytes(), &record), p.stdout.String())
	assert.Equal(t, "request", record.Msg)
	assert.Equal(t, "local_error", record.Outcome.Kind)
}

func TestServe_UnixSocketIsServedAndCleanedUp(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "pointsman.sock")
	p := serveProcess(t, "--config", writeConfig(t, "unix://"+socket, "stdout"), "--drain-grace", "0s")
	assert.Equal(t, "unix://"+socket, p.grpc)
	assert.Equal(t, "SERVING", health(t, p.dial(t)))
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, exitOK, p.exit(t))
	assert.NoFileExists(t, socket)
}

func TestServe_TakenPortIsNamed(t *testing.T) {
	t.Parallel()
	holder, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { assert.NoError(t, holder.Close()) }()
	got := pointsman(t, "serve", "--config", writeConfig(t, holder.Addr().String(), "stdout"))
	assert.Equal(t, result{exitFailure, "", "pointsman: listen.grpc: " + holder.Addr().String() +
		": already in use: stop what listens there, or choose another address\n"}, got)
}

func TestServe_DecisionLogThatCannotBeOpenedIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got := pointsman(t, "serve", "--config", writeConfig(t, "127.0.0.1:0", dir))
	assert.Equal(t, result{exitFailure, "", "pointsman: decision_log: open " + dir +
		`: is a directory: name a file that pointsman may append to, or "stdout"` + "\n"}, got)
}

func TestServe_UsageErrorsExitWith2(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"serve"},
		{"serve", "--config", "a.yaml", "extra"},
		{"serve", "--config", "a.yaml", "--log-level", "loud"},
		{"serve", "--config", "a.yaml", "--drain-grace", "soon"},
	} {
		got := pointsman(t, args...)
		assert.Equal(t, exitUsage, got.code, args)
		assert.Contains(t, got.stderr, "pointsman serve --help", args)
	}
}
