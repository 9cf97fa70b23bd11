package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/extproc"
	"github.com/pointsman/pointsman/filter/server"
	"github.com/pointsman/pointsman/test/child"
	"github.com/pointsman/pointsman/test/envoybin"
	"github.com/pointsman/pointsman/test/provider"
)

const (
	buffered = "buffered"
	duplex   = "full_duplex_streamed"
)

// A rig is an Envoy, with pointsman and a provider in this process.
type rig struct {
	url      string
	pipeline *filter.Pipeline
	provider *provider.Provider
}

// A setup is what a rig is made from.
type setup struct {
	mode string // envoy.body_mode
	more string // further lines of the configuration
	// processor stands in for pointsman's own, where there is one.
	processor extprocv3.ExternalProcessorServer
	// down leaves pointsman out altogether.
	down bool
	edit func(testing.TB, *bootstrapv3.Bootstrap)
}

const configuration = `
listen: {grpc: "unix://%[1]s/pointsman", admin: "unix://%[1]s/admin"}
virtual_models: [{name: auto}]
default_model: medium
models:
  - {name: small, upstream_model: small-2026, cluster: provider, apis: %[4]s,
     tier: simple, context_window: 200000, price: {input: 0.1, output: 0.4}}
  - {name: medium, upstream_model: medium-2026, cluster: provider, apis: %[4]s,
     tier: reasoning, context_window: 200000, capabilities: [vision], price: {input: 1, output: 2}}
envoy: {listener: "127.0.0.1:0", admin: "127.0.0.1:0", body_mode: %[2]s}
clusters: [{name: provider, address: "%[3]s"}]
`

func start(t *testing.T, s setup) *rig {
	t.Helper()
	folder := shortFolder(t)
	r := &rig{provider: provider.New(provider.Options{Name: "provider", Models: []string{"small-2026", "medium-2026"}})}
	upstream := httptest.NewServer(r.provider)
	t.Cleanup(upstream.Close)
	text := fmt.Sprintf(configuration, folder, s.mode, strings.TrimPrefix(upstream.URL, "http://"),
		"[openai_chat_completions, openai_responses, anthropic_messages]") + s.more
	cfg, err := config.Parse("test.yaml", []byte(text))
	require.NoError(t, err)
	r.pipeline, err = filter.New(cfg)
	require.NoError(t, err)
	if !s.down {
		r.servePointsman(t, cfg, s.processor)
	}
	bootstrap, err := envoy.Bootstrap(cfg)
	require.NoError(t, err)
	if s.edit != nil {
		s.edit(t, bootstrap)
	}
	r.url = "http://" + startEnvoy(t, bootstrap, folder)
	return r
}

// shortFolder is for sockets, whose paths may have 107 bytes.
func shortFolder(tb testing.TB) string {
	tb.Helper()
	folder, err := os.MkdirTemp("", "conformance") //nolint:usetesting // a test's own folder has its name, which is long
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, os.RemoveAll(folder)) })
	return folder
}

// servePointsman serves as `pointsman serve` does.
func (r *rig) servePointsman(t *testing.T, cfg *config.Config, processor extprocv3.ExternalProcessorServer) {
	t.Helper()
	if processor == nil {
		processor = extproc.New(r.pipeline, int(cfg.GetLimits().GetMaxInflightBytes()))
	}
	services := server.Services{Processor: processor, AccessLog: alsv3.UnimplementedAccessLogServiceServer{}}
	running, err := server.New(cfg, services, server.Drain{}, zap.NewNop())
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- running.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
	})
}

// startEnvoy returns the address of Envoy's listener.
func startEnvoy(t *testing.T, bootstrap *bootstrapv3.Bootstrap, folder string) string {
	t.Helper()
	binary, err := envoybin.Path(t.Context())
	require.NoError(t, err)
	text, err := envoy.YAML(bootstrap)
	require.NoError(t, err)
	file, adminFile := filepath.Join(folder, "envoy.yaml"), filepath.Join(folder, "envoy-admin")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	process, err := child.Start(t.Context(), "envoy", filepath.Join(folder, "envoy.log"), binary, "-c", file,
		"--admin-address-path", adminFile, "--use-dynamic-base-id", "--concurrency", "1", "-l", "warning")
	require.NoError(t, err)
	t.Cleanup(func() {
		// One that has crashed meanwhile is an error here.
		require.NoError(t, process.Stop())
	})
	var address string
	require.NoError(t, child.Await(t.Context(), "Envoy listens", func(ctx context.Context) (err error) {
		if err = process.Alive(); err != nil {
			return err
		}
		address, err = listenerAddress(ctx, adminFile)
		return err
	}))
	return address
}

func listenerAddress(ctx context.Context, adminFile string) (string, error) {
	admin, err := os.ReadFile(adminFile)
	if err != nil {
		return "", err
	}
	// Before that it has listeners that do not listen.
	if _, err = child.Fetch(ctx, "http://"+string(admin)+"/ready"); err != nil {
		return "", err
	}
	text, err := child.Fetch(ctx, "http://"+string(admin)+"/listeners?format=json")
	if err != nil {
		return "", err
	}
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
	if err := json.Unmarshal(text, &listeners); err != nil || len(listeners.Statuses) != 1 {
		return "", fmt.Errorf("listeners %s: %w", text, err)
	}
	socket := listeners.Statuses[0].Local.Socket
	return fmt.Sprintf("%s:%d", socket.Address, socket.Port), nil
}

// editManager changes the bootstrap's connection manager.
func editManager(tb testing.TB, bootstrap *bootstrapv3.Bootstrap, edit func(*hcmv3.HttpConnectionManager)) {
	tb.Helper()
	packed := bootstrap.GetStaticResources().GetListeners()[0].GetFilterChains()[0].GetFilters()[0].GetTypedConfig()
	manager := &hcmv3.HttpConnectionManager{}
	require.NoError(tb, packed.UnmarshalTo(manager))
	edit(manager)
	require.NoError(tb, packed.MarshalFrom(manager))
}

func socketAddress(path string) *corev3.Address {
	return &corev3.Address{Address: &corev3.Address_Pipe{Pipe: &corev3.Pipe{Path: path}}}
}
