package envoy_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/filter/config"
)

// What the README tells people to copy must stand in what is generated, which
// other tests run on a real Envoy.
func TestReadme_ItsPiecesAreThoseOfTheGeneratedBootstrap(t *testing.T) {
	t.Parallel()
	cfg, err := config.Load("../deploy/pointsman.yaml")
	require.NoError(t, err)
	bootstrap, err := envoy.Bootstrap(cfg)
	require.NoError(t, err)
	text, err := envoy.YAML(bootstrap)
	require.NoError(t, err)
	var generated any
	require.NoError(t, yaml.Unmarshal(text, &generated))

	pieces, _ := readmePieces(t)
	require.Len(t, pieces, 3)
	for _, piece := range pieces {
		var wanted map[string]any
		require.NoError(t, yaml.Unmarshal([]byte(piece), &wanted))
		for key, value := range wanted {
			assert.True(t, occurs(generated, map[string]any{key: value}), "not generated: %s in\n%s", key, piece)
		}
	}
}

func TestReadme_ItsSettingsAreValid(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile("../deploy/pointsman.yaml")
	require.NoError(t, err)
	_, settings := readmePieces(t)
	require.NotEmpty(t, settings)
	for _, piece := range settings {
		_, err := config.Parse("pointsman.yaml", append(example, piece...))
		assert.NoError(t, err, piece)
	}
}

// readmePieces are the README's pieces of YAML: those for Envoy, which are in a
// section of their own, and those for pointsman.
func readmePieces(t *testing.T) (forEnvoy, settings []string) {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```")
	for section := range strings.SplitSeq(string(readme), "\n## ") {
		for _, block := range blocks.FindAllStringSubmatch(section, -1) {
			if strings.HasPrefix(section, "Put it into your Envoy\n") {
				forEnvoy = append(forEnvoy, block[1])
			} else {
				settings = append(settings, block[1])
			}
		}
	}
	return forEnvoy, settings
}

// occurs reports whether some part of tree holds everything that piece says.
func occurs(tree, piece any) bool {
	if holds(tree, piece) {
		return true
	}
	for _, part := range parts(tree) {
		if occurs(part, piece) {
			return true
		}
	}
	return false
}

// holds reports whether a value says at least what piece says: a map may have
// more keys, a list more items, in the same order.
func holds(value, piece any) bool {
	switch piece := piece.(type) {
	case map[string]any:
		value, isMap := value.(map[string]any)
		for key, wanted := range piece {
			if got, there := value[key]; !isMap || !there || !holds(got, wanted) {
				return false
			}
		}
		return isMap
	case []any:
		return holdsInOrder(parts(value), piece)
	default:
		return fmt.Sprint(value) == fmt.Sprint(piece)
	}
}

func holdsInOrder(items, wanted []any) bool {
	for _, item := range items {
		if len(wanted) > 0 && holds(item, wanted[0]) {
			wanted = wanted[1:]
		}
	}
	return len(wanted) == 0
}

func parts(tree any) []any {
	switch tree := tree.(type) {
	case []any:
		return tree
	case map[string]any:
		var values []any
		for _, value := range tree {
			values = append(values, value)
		}
		return values
	default:
		return nil
	}
}
