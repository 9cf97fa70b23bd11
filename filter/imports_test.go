package filter_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/pointsman/pointsman/"

// allowed says which of pointsman's packages each package may import, besides
// generated code. ARCHITECTURE.md has the same table for readers.
var allowed = map[string][]string{
	"filter/decision":                {},
	"filter/config":                  {"filter/decision"},
	"filter/conversation":            {},
	"filter/dialect":                 {"filter/conversation"},
	"filter/classify":                {"filter/classify/signals", "filter/conversation", "filter/config", "filter/decision"},
	"filter/classify/signals":        {},
	"filter/classify/batch":          {"filter/classify", "filter/decision", "filter/jsonlines"},
	"filter/classify/train/answers":  {"filter/classify", "filter/classify/train/turns", "filter/decision"},
	"filter/classify/train/features": {"filter/classify", "filter/classify/signals", "filter/classify/train/turns"},
	"filter/classify/train/turns":    {"filter/classify"},
	"filter/classify/llm":            {"filter/classify", "filter/config", "filter/decision"},
	"filter/jsonlines":               {},
	"filter/prune":                   {"filter/conversation"},
	"filter/session":                 {"filter/conversation", "filter/config", "filter/decision"},
	"filter/selection":               {"filter/conversation", "filter/config", "filter/decision"},
	"filter": {
		"filter/classify", "filter/classify/llm", "filter/config", "filter/conversation", "filter/decision", "filter/dialect",
		"filter/prune", "filter/selection", "filter/session",
	},
	"filter/explain":   {"filter", "filter/decision", "filter/dialect", "filter/jsonlines"},
	"filter/replay":    {"filter", "filter/config", "filter/conversation", "filter/decision"},
	"filter/extproc":   {"filter", "filter/decision", "filter/dialect"},
	"filter/accesslog": {"filter/config", "filter/decision"},
	"filter/server":    {"filter", "filter/accesslog", "filter/config", "filter/decision", "filter/extproc"},
	"envoy":            {"filter/config", "filter/conversation", "filter/decision", "filter/dialect"},
}

func TestImportsPointOneWay(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, root := range []string{".", "../envoy"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				seen[checkImports(t, path)] = true
			}
			return err
		}))
	}
	for folder := range allowed {
		assert.True(t, seen[folder], "%s has a rule and no files", folder)
	}
}

// checkImports holds one file against the table and returns its package's
// folder.
func checkImports(t *testing.T, path string) string {
	t.Helper()
	folder := strings.TrimPrefix(filepath.ToSlash(filepath.Join("filter", filepath.Dir(path))), "./")
	rule, known := allowed[folder]
	if !assert.True(t, known, "%s: no rule says what it may import", folder) {
		return folder
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	require.NoError(t, err)
	for _, spec := range file.Imports {
		target, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
		if ours && !strings.HasPrefix(target, "proto/") {
			assert.Contains(t, rule, target, "%s imports %s", path, target)
		}
	}
	return folder
}
