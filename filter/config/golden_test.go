package config_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestParse_InvalidFilesGetExactlyTheseErrors(t *testing.T) {
	t.Parallel()
	for _, path := range files(t, "testdata/invalid/*.yaml") {
		t.Run(name(path), func(t *testing.T) {
			t.Parallel()
			_, err := config.Parse(filepath.Base(path), read(t, path))
			var invalid *config.InvalidError
			require.ErrorAs(t, err, &invalid)
			golden(t, strings.TrimSuffix(path, ".yaml")+".txt", invalid.Error()+"\n")
			for _, problem := range invalid.Problems {
				assert.NotContains(t, problem.String(), "\n", "one line for each problem")
			}
		})
	}
}

func TestParse_ValidFilesMeanExactlyThis(t *testing.T) {
	t.Parallel()
	for _, path := range files(t, "testdata/valid/*.yaml") {
		t.Run(name(path), func(t *testing.T) {
			t.Parallel()
			loaded := parse(t, read(t, path))
			text, err := decision.JSON(loaded)
			require.NoError(t, err)
			var indented bytes.Buffer
			require.NoError(t, json.Indent(&indented, text, "", "  "))
			golden(t, strings.TrimSuffix(path, ".yaml")+".json", indented.String()+"\n")
		})
	}
}

// A golden file that no test reads any more promises nothing.
func TestGoldenFilesHaveTheirYAML(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"testdata/invalid/*.txt", "testdata/valid/*.json"} {
		for _, path := range files(t, pattern) {
			assert.FileExists(t, strings.TrimSuffix(path, filepath.Ext(path))+".yaml")
		}
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
	}
	if diff := cmp.Diff(string(read(t, path)), got); diff != "" {
		t.Errorf("%s (-want +got; -update writes it anew):\n%s", path, diff)
	}
}

func files(tb testing.TB, pattern string) []string {
	tb.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(tb, err)
	require.NotEmpty(tb, paths)
	return paths
}

func name(path string) string { return strings.TrimSuffix(filepath.Base(path), ".yaml") }

func read(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	require.NoError(tb, err)
	return data
}

func parse(t *testing.T, data []byte) *config.Config {
	t.Helper()
	loaded, err := config.Parse("test.yaml", data)
	require.NoError(t, err)
	return loaded
}
