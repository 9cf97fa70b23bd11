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

const recordedSession = `{"session":"s","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a"}]}` + "\n"

func TestReplay_PrintsATableOrJSONAndWritesAPage(t *testing.T) {
	t.Parallel()
	sessions, page := requests(t, recordedSession), filepath.Join(t.TempDir(), "page.html")
	table := pointsman(t, "replay", "--config", "valid.yaml", "--html", page, sessions)
	assert.Equal(t, []any{exitOK, ""}, []any{table.code, table.stderr})
	assert.True(t, strings.HasPrefix(table.stdout, "1 session, 1 request, "), table.stdout)
	html, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(html), "<!doctype html>"))
	assert.True(t, strings.HasSuffix(string(html), "</html>\n"))
	machine := pointsman(t, "replay", "--config", "valid.yaml", "--json", "--model", "fast", "--regimes", "0.25/1", sessions)
	assert.Equal(t, []any{exitOK, ""}, []any{machine.code, machine.stderr})
	assert.True(t, strings.HasPrefix(machine.stdout, "{\n  \"model\": \"fast\","), machine.stdout)
	assert.Equal(t, 4, strings.Count(machine.stdout, `"cached_read_ratio": 0.25,`))
}

func TestReplay_ReadsStandardInput(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), program, "replay", "--config", requests(t, valid), "-")
	command.Stdin = strings.NewReader(recordedSession + recordedSession)
	stdout, err := command.Output()
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(stdout), "2 sessions, 2 requests, "))
}

func TestReplay_FailsAfterTheReportWhereSomethingCouldNotBeReplayed(t *testing.T) {
	t.Parallel()
	sessions := requests(t, strings.Repeat("[]\n", 22)+recordedSession)
	got := pointsman(t, "replay", "--config", "valid.yaml", sessions)
	assert.Equal(t, exitFailure, got.code)
	assert.True(t, strings.HasPrefix(got.stdout, "1 session, 1 request, "))
	lines := strings.Split(got.stderr, "\n")
	assert.Equal(t, sessions+`:1: not a session: must be an object with "session" and "messages"`, lines[0])
	assert.Equal(t, []string{
		sessions + `:20: not a session: must be an object with "session" and "messages"`,
		"and 2 problems like these",
		"pointsman: 22 sessions could not be replayed",
		"",
	}, lines[19:])
}

func TestReplay_FailsAfterTheReportWhereThePageCannotBeWritten(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "replay", "--config", "valid.yaml", "--html", "none/page.html", requests(t, recordedSession))
	assert.Equal(t, exitFailure, got.code)
	assert.True(t, strings.HasPrefix(got.stdout, "1 session, 1 request, "), got.stdout)
	assert.Equal(t, "pointsman: html: open none/page.html: no such file or directory\n", got.stderr)
}

func TestReplay_UsageErrorsExitWith2(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		`required flag(s) "config" not set`:                          {"a.jsonl"},
		`no file of sessions is named ("-" is standard input)`:       {"--config", "valid.yaml"},
		`every: must be at least 1 (is 0)`:                           {"--config", "valid.yaml", "--every", "0", "a"},
		`offset: must be from 0 to 1, one less than every (is 2)`:    {"--config", "valid.yaml", "--every", "2", "--offset", "2", "a"},
		`invalid argument "0.1" for "--regimes" flag: "0.1" must be`: {"--config", "valid.yaml", "--regimes", "0.1", "a"},
	} {
		got := pointsman(t, append([]string{"replay"}, args...)...)
		assert.Equal(t, exitUsage, got.code, args)
		assert.Empty(t, got.stdout, args)
		assert.Contains(t, got.stderr, "pointsman: "+want)
		assert.Contains(t, got.stderr, "Run 'pointsman replay --help' for usage.\n")
	}
}
