package integration

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/test/odd"
)

// inContainers are the addresses of a stack, as testdata/pointsman.yaml has
// them.
const inContainers = `
listen: {grpc: "0.0.0.0:9002", admin: "0.0.0.0:9003"}
envoy: {listener: "0.0.0.0:10000", admin: "0.0.0.0:9901", pointsman_address: "pointsman:9002", token_usage: true}
clusters: [{name: provider-a, address: "provider-a:8080"}, {name: provider-b, address: "provider-b:8080"}]
`

// strictStack has the configuration that the table of odd requests is written
// for, with its low limit on bodies.
var strictStack = common{setup: func(folder string) (Setup, error) {
	example, err := os.ReadFile(root + "/deploy/pointsman.yaml")
	if err != nil {
		return Setup{}, err
	}
	file := filepath.Join(folder, "pointsman.yaml")
	text := without(string(example), "envoy:", "clusters:") + odd.Config + inContainers
	return Setup{File: file}, os.WriteFile(file, []byte(text), 0o600)
}}

// strict returns the stack with the low limit.
func strict(t *testing.T) *Stack {
	t.Helper()
	return strictStack.get(t)
}

// without leaves out some sections of a configuration.
func without(text string, sections ...string) string {
	var kept strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" {
			inside = slices.Contains(sections, strings.Fields(line)[0])
		}
		if !inside {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
