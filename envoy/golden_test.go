package envoy_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/filter/config"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	inSuffix  = ".in.yaml"
	outSuffix = ".out.yaml"
)

func TestYAML_GoldenFiles(t *testing.T) {
	t.Parallel()
	for _, in := range goldenInputs(t) {
		t.Run(filepath.Base(in), func(t *testing.T) {
			t.Parallel()
			got := generate(t, in)
			out := strings.TrimSuffix(in, inSuffix) + outSuffix
			if *update {
				require.NoError(t, os.WriteFile(out, got, 0o644))
			}
			want, err := os.ReadFile(out)
			require.NoError(t, err)
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s (-want +got; go test -update writes it anew):\n%s", out, diff)
			}
		})
	}
}

func goldenInputs(t *testing.T) []string {
	t.Helper()
	inputs, err := filepath.Glob(filepath.Join("testdata", "*"+inSuffix))
	require.NoError(t, err)
	require.NotEmpty(t, inputs)
	return inputs
}

func generate(t *testing.T, path string) []byte {
	t.Helper()
	cfg, err := config.Load(path)
	require.NoError(t, err)
	bootstrap, err := envoy.Bootstrap(cfg)
	require.NoError(t, err)
	text, err := envoy.YAML(bootstrap)
	require.NoError(t, err)
	return text
}
