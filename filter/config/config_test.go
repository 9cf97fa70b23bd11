package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestConfig_FindsEntriesByName(t *testing.T) {
	t.Parallel()
	loaded := parse(t, read(t, "testdata/valid/everything.yaml"))

	assert.Equal(t, "small-2026", loaded.Model("provider/small").GetUpstreamModel())
	assert.Nil(t, loaded.Model("small-2026"), "an upstream model's name is no model's name")
	assert.Equal(t, "api.example.com:443", loaded.Cluster("a").GetAddress())
	assert.Nil(t, loaded.Cluster("none"))
}

func TestConfig_DefaultModel(t *testing.T) {
	t.Parallel()
	loaded := parse(t, read(t, "testdata/valid/everything.yaml"))

	assert.Equal(t, "provider/small", loaded.DefaultModel("openai_chat_completions").GetName(), "named by default_model_by_api")
	assert.Equal(t, "large", loaded.DefaultModel("openai_responses").GetName(), "default_model")

	minimal := parse(t, read(t, "testdata/valid/minimal.yaml"))
	assert.Nil(t, minimal.DefaultModel("anthropic_messages"), "no model speaks it")
}
