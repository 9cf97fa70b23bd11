package envoy_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/test/envoybin"
)

// seen is a request as a provider saw it.
type seen struct {
	Provider string            `json:"provider"`
	Host     string            `json:"host"`
	Path     string            `json:"path"` // with its query
	Header   http.Header       `json:"header"`
	Length   int               `json:"length"`
	Sum      [sha256.Size]byte `json:"sum"`
	Model    string            `json:"model"` // the body's, if it is JSON
}

// provider is an upstream that answers with what it has seen.
func provider(t *testing.T, name string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		request := seen{
			Provider: name, Host: r.Host, Path: r.URL.RequestURI(), Header: r.Header,
			Length: len(body), Sum: sha256.Sum256(body),
		}
		var named struct {
			Model string `json:"model"`
		}
		if json.Unmarshal(body, &named) == nil {
			request.Model = named.Model
		}
		w.Header().Set("content-type", "application/json")
		_ = json.NewEncoder(w).Encode(request)
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// nobody is an address that refuses connections.
func nobody(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	return listener.Addr().String()
}

// startEnvoy runs a real Envoy with what is generated for a configuration whose
// listener and admin interface have any free port. It returns the listener's
// address.
func startEnvoy(t *testing.T, text string) string {
	t.Helper()
	binary, err := envoybin.Path(t.Context())
	require.NoError(t, err)
	cfg, err := config.Parse("test.yaml", []byte(text))
	require.NoError(t, err)
	bootstrap, err := envoy.Bootstrap(cfg)
	require.NoError(t, err)
	generated, err := envoy.YAML(bootstrap)
	require.NoError(t, err)

	dir := t.TempDir()
	file, adminFile := filepath.Join(dir, "envoy.yaml"), filepath.Join(dir, "admin")
	require.NoError(t, os.WriteFile(file, generated, 0o600))
	// The test's own context ends before its cleanups; this one ends with them.
	ctx, stop := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, binary, "-c", file, "--admin-address-path", adminFile,
		"--use-dynamic-base-id", "--concurrency", "1", "-l", "warning")
	var log bytes.Buffer
	command.Stdout, command.Stderr = &log, &log
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		stop()
		_ = command.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	return listenerAddress(t, adminFile)
}

// listenerAddress waits until Envoy listens, and asks it where.
func listenerAddress(t *testing.T, adminFile string) string {
	t.Helper()
	var listeners struct {
		Statuses []struct {
			Local struct {
				Socket struct {
					Address string `json:"address"`
					Port    int    `json:"port_value"`
				} `json:"socket_address"`
			} `json:"local_address"`
		} `json:"listener_statuses"`
	}
	require.Eventually(t, func() bool {
		admin, err := os.ReadFile(adminFile)
		if err != nil {
			return false
		}
		response, err := http.Get("http://" + string(admin) + "/listeners?format=json")
		if err != nil {
			return false
		}
		defer func() { _ = response.Body.Close() }()
		return json.NewDecoder(response.Body).Decode(&listeners) == nil && len(listeners.Statuses) == 1
	}, 30*time.Second, 20*time.Millisecond, "Envoy does not listen")
	socket := listeners.Statuses[0].Local.Socket
	return (&net.TCPAddr{IP: net.ParseIP(socket.Address), Port: socket.Port}).String()
}

// answer is what a client got.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// seen is what the provider saw, for an answer that comes from it.
func (a answer) seen(t *testing.T) seen {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	var request seen
	require.NoError(t, json.Unmarshal(a.body, &request))
	return request
}

func send(t *testing.T, method, url string, body []byte, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("content-type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, text}
}
