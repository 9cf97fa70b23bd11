package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// classifyLines runs the command on some lines of input.
func classifyLines(t *testing.T, lines string) result {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, "classify", "--config", requests(t, valid))
	command.Stdin = strings.NewReader(lines)
	var stdout, stderr strings.Builder
	command.Stdout, command.Stderr = &stdout, &stderr
	_ = command.Run() // the exit code says how it went
	return result{command.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func TestClassify_OneLineForEachPrompt(t *testing.T) {
	t.Parallel()
	got := classifyLines(t, `{"prompt":"hi"}`+"\n"+`{"prompt":""}`)
	assert.Equal(t, exitOK, got.code)
	assert.Empty(t, got.stderr)
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	assert.Len(t, lines, 2)
	assert.Regexp(t, `^\{"category":"chat","tier":"simple","difficulty":0\.\d+,"confidence":0\.\d+,"source":"classifier"\}$`, lines[0])
	assert.Contains(t, lines[1], `"source":"fallback"`)
}

func TestClassify_GoesOnAfterABadLineAndSaysSo(t *testing.T) {
	t.Parallel()
	got := classifyLines(t, "x\n{\"prompt\":\"hi\"}\n")
	assert.Equal(t, exitFailure, got.code)
	assert.Contains(t, got.stdout, `{"error":"line 1: not a prompt: `)
	assert.Equal(t, 2, strings.Count(got.stdout, "\n"))
	assert.Equal(t, "pointsman: 1 line could not be read\n", got.stderr)
}
