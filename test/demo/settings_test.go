package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
)

func TestSettingsChangeTheShippedConfigurationAndNothingElseInIt(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "pointsman.yaml"))
	require.NoError(t, err)
	shipped, err := config.Parse("pointsman.yaml", text)
	require.NoError(t, err)

	changed, err := settings{
		grpc: "127.0.0.1:1", admin: "127.0.0.1:2", listener: "127.0.0.1:3", envoyAdmin: "127.0.0.1:4",
		decisionLog: "/tmp/log", clusters: map[string]string{"provider-a": "127.0.0.1:5", "provider-b": "127.0.0.1:6"},
	}.applied(text)
	require.NoError(t, err)
	cfg, err := config.Parse("pointsman.yaml", changed)
	require.NoError(t, err, string(changed))

	assert.Equal(t, "127.0.0.1:1", cfg.GetListen().GetGrpc())
	assert.Equal(t, "127.0.0.1:2", cfg.GetListen().GetAdmin())
	assert.Equal(t, "127.0.0.1:3", cfg.GetEnvoy().GetListener())
	assert.Equal(t, "127.0.0.1:4", cfg.GetEnvoy().GetAdmin())
	assert.True(t, cfg.GetEnvoy().GetTokenUsage())
	assert.Equal(t, "/tmp/log", cfg.GetDecisionLog())
	assert.Equal(t, "127.0.0.1:5", cfg.Cluster("provider-a").GetAddress())
	assert.Equal(t, "127.0.0.1:6", cfg.Cluster("provider-b").GetAddress())
	assert.Len(t, cfg.GetModels(), len(shipped.GetModels()))
	for _, model := range cfg.GetModels() {
		assert.Len(t, model.GetApis(), len(sessions), model.GetName())
	}
	assert.Contains(t, string(changed), "# The catalogue, from cheap to capable.")
}
