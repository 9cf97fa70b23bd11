package config_test

import (
	"strings"
	"testing"

	"github.com/pointsman/pointsman/filter/config"
)

// Whatever a file holds, Parse ends, and either says what is wrong on one line
// for each problem or returns a configuration that can be used.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/valid/*.yaml", "testdata/invalid/*.yaml"} {
		for _, path := range files(f, pattern) {
			f.Add(read(f, path))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		loaded, err := config.Parse("fuzz.yaml", data)
		if err == nil {
			usable(t, loaded)
			return
		}
		invalid, ok := err.(*config.InvalidError) //nolint:errorlint // the documented type, unwrapped
		if !ok || len(invalid.Problems) == 0 {
			t.Fatalf("not an InvalidError with problems: %#v", err)
		}
		for _, problem := range invalid.Problems {
			if problem.Message == "" || strings.ContainsAny(problem.String(), "\r\n") {
				t.Errorf("not one line: %q", problem.String())
			}
		}
	})
}

func usable(t *testing.T, loaded *config.Config) {
	t.Helper()
	if len(loaded.Hash) != 12 || len(loaded.PruneHash) != 12 {
		t.Errorf("hashes %q and %q", loaded.Hash, loaded.PruneHash)
	}
	for _, model := range loaded.GetModels() {
		if loaded.Model(model.GetName()) != model || model.GetUpstreamModel() == "" || model.GetFamily() == "" {
			t.Errorf("model %v", model)
		}
		for _, api := range model.GetApis() {
			if loaded.DefaultModel(api) == nil {
				t.Errorf("no default model for %s", api)
			}
		}
	}
}
