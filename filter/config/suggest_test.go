package config

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest_IsWhatWasProbablyMeant(t *testing.T) {
	t.Parallel()
	keys := []string{"name", "upstream_model", "cluster", "apis", "tier", "context_window", "max_output_tokens", "price"}
	tests := map[string]string{
		"nam":            "name",
		"names":          "name",
		"Tier":           "tier",
		"api":            "apis",
		"upstreamModel":  "upstream_model",
		"context-window": "context_window",
		"window":         "context_window",
		"output_tokens":  "max_output_tokens",
		"cost":           "",
		"x":              "",
		"":               "",
		"prices_of_all":  "price",
	}
	for word, want := range tests {
		assert.Equal(t, want, nearest(word, keys), "%q", word)
	}
}

func TestDistance_CountsEdits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"tier", "tier", 0},
		{"", "tier", 4},
		{"teir", "tier", 1},
		{"ter", "tier", 1},
		{"tierr", "tier", 1},
		{"tear", "tier", 2},
		{"abcdefghijkl", "tier", 8},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, distance(test.a, test.b), "%q %q", test.a, test.b)
	}
}

func TestCovers_IsSoundForEveryPattern(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, other string
		want           bool
	}{
		{"*", "claude-*", true},
		{"*", "?", true},
		{"*", "", true},
		{"claude-*", "claude-opus-*", true},
		{"claude-*", "claude-", true},
		{"claude-opus-*", "claude-*", false},
		{"claude-?", "claude-*", false},
		{"claude-?", "claude-3", true},
		{"claude-?", "claude-?", true},
		{"claude-3", "claude-?", false},
		{"*-latest", "claude-*-latest", true},
		{"*-latest", "*-latest-?", false},
		{"a*b*c", "axbybzc", true},
		{"a*b*c", "axbybz", false},
		{"claude", "claude", true},
		{"claude", "claude-3", false},
		{"??", "?*", false},
		{"?*", "??", true},
		{"é?", "éa", true},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, covers(test.pattern, test.other), "%q covers %q", test.pattern, test.other)
	}
}

func TestParent_LeadsUpToTheDocument(t *testing.T) {
	t.Parallel()
	var up []string
	for key := "models[1].price.input"; key != ""; key = parent(key) {
		up = append(up, key)
	}
	assert.Equal(t, []string{"models[1].price.input", "models[1].price", "models[1]", "models"}, up)
}
