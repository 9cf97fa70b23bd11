package config_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
)

func TestLoad_ReadsTheExampleConfiguration(t *testing.T) {
	t.Parallel()
	loaded, err := config.Load("../../deploy/pointsman.yaml")
	require.NoError(t, err)
	assert.Len(t, loaded.GetModels(), 3)
	assert.Len(t, loaded.GetVirtualModels(), 2)
}

func TestLoad_SaysWhyAFileCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	huge := filepath.Join(dir, "huge.yaml")
	require.NoError(t, os.WriteFile(huge, bytes.Repeat([]byte("#"), 1<<20+1), 0o600))
	tests := []struct{ name, path, want string }{
		{"missing", filepath.Join(dir, "none.yaml"), "no such file: name an existing one"},
		{"directory", dir, "cannot be read: is a directory"},
		{"too long", huge, "must have at most 1048576 bytes"},
		{"endless", "/dev/zero", "must have at most 1048576 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := config.Load(test.path)
			var invalid *config.InvalidError
			require.ErrorAs(t, err, &invalid)
			assert.Equal(t, []config.Problem{{File: test.path, Message: test.want}}, invalid.Problems)
			assert.EqualError(t, err, test.path+": "+test.want)
		})
	}
}

func TestParse_AFileOfTheLargestSizeIsRead(t *testing.T) {
	t.Parallel()
	minimal := read(t, "testdata/valid/minimal.yaml")
	comment := "# " + strings.Repeat("x", 1<<20-len(minimal)-len("# \n")) + "\n"
	parse(t, append([]byte(comment), minimal...))
}

func TestParse_IgnoresAByteOrderMarkAndWindowsLineEnds(t *testing.T) {
	t.Parallel()
	minimal := read(t, "testdata/valid/minimal.yaml")
	windows := append([]byte("\ufeff"), bytes.ReplaceAll(minimal, []byte("\n"), []byte("\r\n"))...)
	assert.Equal(t, parse(t, minimal).Hash, parse(t, windows).Hash)
}

func TestParse_R3_SaysTheLowerBoundOfMaxSummarizeChars(t *testing.T) {
	t.Parallel()
	_, err := config.Parse("p.yaml", read(t, "testdata/invalid/prune_bounds.yaml"))
	require.ErrorContains(t, err, "p.yaml:12: prune.max_summarize_chars: must be at least 3200 (is 3199)")
}

func TestParse_ReportsEveryProblemAtOnceInTheOrderOfLines(t *testing.T) {
	t.Parallel()
	_, err := config.Parse("p.yaml", read(t, "testdata/invalid/every_part_at_once.yaml"))
	var invalid *config.InvalidError
	require.ErrorAs(t, err, &invalid)
	lines := make([]int, 0, len(invalid.Problems))
	for _, problem := range invalid.Problems {
		lines = append(lines, problem.Line)
	}
	assert.Equal(t, []int{1, 4, 5, 11, 12, 13, 14}, lines)
}

// Nested aliases make a few lines stand for a billion values. Not one of them
// is followed.
func TestParse_DoesNotFollowAliases(t *testing.T) {
	t.Parallel()
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [lol]\n")
	for level := 1; level < 40; level++ {
		previous := string(rune('a'+(level-1)%26)) + strings.Repeat("x", level)
		if level == 1 {
			previous = "a0"
		}
		own := string(rune('a'+level%26)) + strings.Repeat("x", level+1)
		bomb.WriteString(own + ": &" + own + " [" + strings.Repeat("*"+previous+", ", 9) + "*" + previous + "]\n")
	}
	_, err := config.Parse("p.yaml", []byte(bomb.String()))
	require.ErrorContains(t, err, "unknown key")
}

func TestParse_DeepNestingIsAnError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("[", 500_000), strings.Repeat("{a: ", 200_000), strings.Repeat("- ", 400_000)} {
		_, err := config.Parse("p.yaml", []byte(text))
		var invalid *config.InvalidError
		require.ErrorAs(t, err, &invalid)
	}
}
