package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
	"github.com/pointsman/pointsman/test/child"
	"github.com/pointsman/pointsman/test/envoybin"
	"github.com/pointsman/pointsman/test/provider"
)

// binary is pointsman, built once for all tests.
var binary string

func TestMain(m *testing.M) {
	code := 1
	err := build(context.Background())
	if err == nil {
		code = m.Run()
	}
	if err = errors.Join(err, os.RemoveAll(filepath.Dir(binary))); err != nil {
		fmt.Fprintln(os.Stderr, "test/llm:", err)
		code = 1
	}
	os.Exit(code)
}

func build(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "llm")
	if err != nil {
		return err
	}
	binary = filepath.Join(folder, "pointsman")
	root, err := child.ModuleRoot(ctx)
	if err != nil {
		return err
	}
	return child.Build(ctx, root, "./cmd/pointsman", binary)
}

// A rig is an Envoy, a `pointsman serve` and a provider.
type rig struct {
	url      string
	folder   string
	cfg      *config.Config
	provider *provider.Provider
}

// One model for each tier, called like it: the model that a request goes to says
// its tier.
const configuration = `
listen: {grpc: "%[1]s", admin: "%[2]s"}
decision_log: "%[3]s/decisions.jsonl"
virtual_models: [{name: auto}]
default_model: medium
models:
  - {name: simple, cluster: provider, apis: [openai_chat_completions], tier: simple, context_window: 200000, price: {input: 1, output: 1}}
  - {name: medium, cluster: provider, apis: [openai_chat_completions], tier: medium, context_window: 200000, price: {input: 2, output: 2}}
  - {name: complex, cluster: provider, apis: [openai_chat_completions], tier: complex, context_window: 200000, price: {input: 3, output: 3}}
  - {name: reasoning, cluster: provider, apis: [openai_chat_completions], tier: reasoning, context_window: 200000, price: {input: 4, output: 4}}
envoy: {listener: "%[4]s", admin: "%[5]s", body_mode: %[6]s}
clusters: [{name: provider, address: "%[7]s"}]
classifier: {fallback_tier: complex, llm: {model: judge, %[8]s}}
`

// start starts everything, with the given settings of classifier.llm.
func start(t *testing.T, bodyMode, settings string) *rig {
	t.Helper()
	r := &rig{
		folder:   t.TempDir(),
		provider: provider.New(provider.Options{Name: "provider", Models: []string{"simple", "medium", "complex", "reasoning"}}),
	}
	upstream := httptest.NewServer(r.provider)
	t.Cleanup(upstream.Close)
	var grpc, admin, listener, envoyAdmin string
	require.NoError(t, child.FreeAddresses(&grpc, &admin, &listener, &envoyAdmin))
	r.url = "http://" + listener
	text := fmt.Sprintf(configuration, grpc, admin, r.folder, listener, envoyAdmin, bodyMode,
		strings.TrimPrefix(upstream.URL, "http://"), settings)
	require.NoError(t, os.WriteFile(r.file("pointsman.yaml"), []byte(text), 0o600))
	var err error
	r.cfg, err = config.Load(r.file("pointsman.yaml"))
	require.NoError(t, err)
	r.startPointsman(t)
	r.startEnvoy(t)
	return r
}

func (r *rig) file(name string) string { return filepath.Join(r.folder, name) }

func (r *rig) startPointsman(t *testing.T) {
	t.Helper()
	process, err := child.Start(t.Context(), "pointsman", r.file("pointsman.log"), binary,
		"serve", "--config", r.file("pointsman.yaml"), "--drain-grace", "0s")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, process.Stop()) })
	require.NoError(t, process.Answers(t.Context(), "http://"+r.cfg.GetListen().GetAdmin()+"/readyz"))
}

// startEnvoy starts Envoy and waits until it has found pointsman.
func (r *rig) startEnvoy(t *testing.T) {
	t.Helper()
	program, err := envoybin.Path(t.Context())
	require.NoError(t, err)
	bootstrap, err := envoy.Bootstrap(r.cfg)
	require.NoError(t, err)
	keepTier(t, bootstrap)
	text, err := envoy.YAML(bootstrap)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(r.file("envoy.yaml"), text, 0o600))
	process, err := child.Start(t.Context(), "envoy", r.file("envoy.log"), program, "-c", r.file("envoy.yaml"),
		"--use-dynamic-base-id", "--concurrency", "1", "-l", "warning")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, process.Stop()) })
	admin := "http://" + r.cfg.GetEnvoy().GetAdmin()
	require.NoError(t, process.Answers(t.Context(), admin+"/ready"))
	require.NoError(t, child.Await(t.Context(), "Envoy finds pointsman", func(ctx context.Context) error {
		const gauge = "cluster.pointsman.membership_healthy"
		stats, err := child.Fetch(ctx, admin+"/stats?filter=^"+gauge+"$")
		if err == nil && !bytes.Contains(stats, []byte(gauge+": 1")) {
			err = fmt.Errorf("want %s: 1, have %s", gauge, stats)
		}
		return err
	}))
}

// keepTier lets the provider see the tier's header, which Envoy removes.
func keepTier(t *testing.T, bootstrap *bootstrapv3.Bootstrap) {
	t.Helper()
	packed := bootstrap.GetStaticResources().GetListeners()[0].GetFilterChains()[0].GetFilters()[0].GetTypedConfig()
	manager := &hcmv3.HttpConnectionManager{}
	require.NoError(t, packed.UnmarshalTo(manager))
	virtual := manager.GetRouteConfig().GetVirtualHosts()[0]
	require.Contains(t, virtual.GetRequestHeadersToRemove(), decision.HeaderTier)
	virtual.RequestHeadersToRemove = slices.DeleteFunc(virtual.GetRequestHeadersToRemove(),
		func(name string) bool { return name == decision.HeaderTier })
	require.NoError(t, packed.MarshalFrom(manager))
}

// sent is what became of a request.
type sent struct {
	status int
	id     string // of the decision
	model  string // that Envoy says it went to
	tier   string // that the provider saw
}

// send asks for what stands in text.
func (r *rig) send(ctx context.Context, text string) (sent, error) {
	body := fmt.Sprintf(`{"model":"auto","messages":[{"role":"user","content":%q}]}`, text)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		return sent{}, err
	}
	request.Header.Set("content-type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return sent{}, err
	}
	defer func() { _ = response.Body.Close() }()
	came := sent{status: response.StatusCode, id: response.Header.Get(decision.HeaderDecision), model: response.Header.Get(decision.HeaderModel)}
	for _, arrived := range r.provider.Requests(text) {
		came.tier = arrived.Headers.Get(decision.HeaderTier)
	}
	return came, nil
}

// decided waits for a decision in the decision log.
func (r *rig) decided(t *testing.T, id string) *decision.Decision {
	t.Helper()
	record := &routerv1.Record{}
	require.NoError(t, child.Await(t.Context(), "the decision log has "+id, func(context.Context) error {
		log, err := os.ReadFile(r.file("decisions.jsonl"))
		if err != nil {
			return err
		}
		for line := range bytes.Lines(log) {
			// A last line without its end is still being written.
			if bytes.HasSuffix(line, []byte("\n")) && bytes.Contains(line, []byte(id)) {
				return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(line, record)
			}
		}
		return errors.New("no such line")
	}))
	return record.GetDecision()
}
