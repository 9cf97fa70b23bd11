package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const request = `{"path":"/v1/chat/completions","body":"{\"model\":\"auto\",\"messages\":[]}"}` + "\n"

// requests is a file of requests.
func requests(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "requests.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(lines), 0o600))
	return path
}

func TestExplain_OneLineForEachRequestAndNothingElseOnStdout(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "explain", "--config", "valid.yaml", "--requests", requests(t, request+"\n"+request))
	assert.Equal(t, exitOK, got.code)
	assert.Empty(t, got.stderr)
	assert.Equal(t, 2, strings.Count(got.stdout, "\n"))
	assert.Equal(t, 2, strings.Count(got.stdout, `{"decision":{"id":`))
}

func TestExplain_ReadsStandardInput(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), program, "explain", "--config", requests(t, valid))
	command.Stdin = strings.NewReader(request)
	stdout, err := command.Output()
	require.NoError(t, err)
	assert.Contains(t, string(stdout), `"body":"{\"model\":\"m\",\"messages\":[]}"`)
}

func TestExplain_ALineThatCannotBeReadFailsAtTheEnd(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "explain", "--config", "valid.yaml", "--requests", requests(t, "[]\n"+request))
	assert.Equal(t, exitFailure, got.code)
	assert.Equal(t, 2, strings.Count(got.stdout, "\n"))
	assert.True(t, strings.HasPrefix(got.stdout, `{"error":"line 1: not a request:`))
	assert.Equal(t, "pointsman: 1 line could not be read\n", got.stderr)
}

func TestExplain_AFileThatIsNotThereIsAFailure(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "explain", "--config", "valid.yaml", "--requests", "none.jsonl")
	assert.Equal(t, result{exitFailure, "", "pointsman: open requests: open none.jsonl: no such file or directory\n"}, got)
}
