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

const asksLLM = valid + "classifier: {llm: {base_url: 'http://127.0.0.1:1/v1', model: judge, api_key_file: none}}\n"

func TestExplain_ReadsNoKeyAsksNoLLMAndSaysSoOnce(t *testing.T) {
	t.Parallel()
	const hello = `{"path":"/v1/chat/completions","body":"{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"}` + "\n"
	got := pointsman(t, "explain", "--config", requests(t, asksLLM), "--requests", requests(t, hello+hello))
	assert.Equal(t, exitOK, got.code)
	assert.Equal(t, "classifier.llm is not asked here: the embedded model classifies, and live tiers may differ\n", got.stderr)
	assert.Equal(t, 2, strings.Count(got.stdout, `"classified_by":"embedded","llm_unused":"dry_run"`), got.stdout)
}

func TestCheck_DoesNotLookForTheKey(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "check", "--config", requests(t, asksLLM))
	assert.Equal(t, exitOK, got.code)
	assert.Empty(t, got.stderr)
}

func TestServe_SaysThatTheKeyIsNotThere(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "serve", "--config", requests(t, asksLLM))
	assert.Equal(t, result{exitFailure, "", "pointsman: classifier.llm.api_key_file: none cannot be read: no such file or directory: " +
		"name a readable file that holds the key, or leave it out\n"}, got)
}
