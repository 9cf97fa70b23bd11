package envoy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"sigs.k8s.io/yaml"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
)

const mesh = `
virtual_models: [{name: auto}]
default_model: small
models:
  - {name: small, cluster: a, apis: [openai_chat_completions], tier: simple, context_window: 128000, price: {input: 1, output: 2}}
`

func Example() {
	cfg, err := config.Parse("pointsman.yaml", []byte(mesh+"clusters: [{name: a, address: 127.0.0.1:18081}]\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	bootstrap, err := envoy.Bootstrap(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cluster := range bootstrap.GetStaticResources().GetClusters() {
		fmt.Println(cluster.GetName())
	}
	// Output:
	// a
	// pointsman
}

func TestBootstrap_AMeshWithoutClustersIsRefused(t *testing.T) {
	t.Parallel()
	cfg, err := config.Parse("mesh.yaml", []byte(mesh))
	require.NoError(t, err)
	_, err = envoy.Bootstrap(cfg)
	assert.ErrorIs(t, err, envoy.ErrNoClusters)
}

func TestBootstrap_AConfigurationThatWasNotCheckedIsAnErrorAndNoPanic(t *testing.T) {
	t.Parallel()
	cfg, err := config.Parse("mesh.yaml", []byte(mesh+"clusters: [{name: a, address: 127.0.0.1:18081}]\n"))
	require.NoError(t, err)
	cfg.GetEnvoy().Listener = new("10000")
	cfg.GetEnvoy().Admin = new("127.0.0.1:http")
	_, err = envoy.Bootstrap(cfg)
	require.ErrorContains(t, err, `address "10000": address 10000: missing port in address`)
	assert.ErrorContains(t, err, `address "127.0.0.1:http"`)
}

func TestYAML_ReadsBackAsTheSameBootstrap(t *testing.T) {
	t.Parallel()
	for _, in := range goldenInputs(t) {
		t.Run(filepath.Base(in), func(t *testing.T) {
			t.Parallel()
			cfg, err := config.Load(in)
			require.NoError(t, err)
			want, err := envoy.Bootstrap(cfg)
			require.NoError(t, err)
			text, err := envoy.YAML(want)
			require.NoError(t, err)

			converted, err := yaml.YAMLToJSONStrict(text)
			require.NoError(t, err)
			got := &bootstrapv3.Bootstrap{}
			require.NoError(t, protojson.Unmarshal(converted, got))
			assert.True(t, proto.Equal(want, got))
		})
	}
}

func TestYAML_TheSameConfigurationGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	for _, in := range goldenInputs(t) {
		first := generate(t, in)
		for range 5 {
			assert.Equal(t, first, generate(t, in))
		}
	}
}

// Envoy counts nothing for a request whose metadata lacks one of these.
func TestBootstrap_CountersReadOnlyWhatEveryDecisionHas(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/minimal.out.yaml")
	require.NoError(t, err)
	read := regexp.MustCompile(`value_format: '%DYNAMIC_METADATA\(pointsman:(\w+)\)%'`).FindAllSubmatch(text, -1)
	require.NotEmpty(t, read)
	for _, key := range read {
		assert.True(t, decision.IsCounted(string(key[1]), true), string(key[1]))
	}
}
