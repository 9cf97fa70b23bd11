package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// withClusters is a file whose configuration a bootstrap can be made of.
func withClusters(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clusters.yaml")
	require.NoError(t, os.WriteFile(path, []byte(valid+"clusters: [{name: c, address: 127.0.0.1:18081}]\n"), 0o600))
	return path
}

func TestEnvoy_JSONAndYAMLSayTheSame(t *testing.T) {
	t.Parallel()
	path := withClusters(t)
	asYAML := pointsman(t, "envoy", "--config", path)
	asJSON := pointsman(t, "envoy", "--config", path, "--json")
	assert.Equal(t, []any{exitOK, exitOK, "", ""}, []any{asYAML.code, asJSON.code, asYAML.stderr, asJSON.stderr})
	require.True(t, json.Valid([]byte(asJSON.stdout)))
	assert.NotEqual(t, asJSON.stdout, asYAML.stdout)

	converted, err := yaml.YAMLToJSON([]byte(asYAML.stdout))
	require.NoError(t, err)
	assert.JSONEq(t, asJSON.stdout, string(converted))
}

func TestEnvoy_WithoutClustersSaysWhatToDo(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "envoy", "--config", "valid.yaml")
	assert.Equal(t, result{exitFailure, "", "pointsman: clusters: none are configured, so the providers' addresses " +
		"are not known: list each cluster that models name, with its address; in a mesh that has them already, " +
		"add pointsman to the mesh's own configuration instead of generating one\n"}, got)
}

func TestEnvoy_InvalidFileIsEveryErrorOnStderr(t *testing.T) {
	t.Parallel()
	assert.Equal(t, result{exitFailure, "", invalidErrors}, pointsman(t, "envoy", "--config", "invalid.yaml"))
}
