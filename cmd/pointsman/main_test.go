package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
)

// program is the binary that users run, built once for all tests.
var program string

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pointsman-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitFailure
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "pointsman")
	if output, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s\n%v\n", output, err)
		return exitFailure
	}
	return m.Run()
}

type result struct {
	code           int
	stdout, stderr string
}

// pointsman runs the real binary in a folder of its own.
func pointsman(t *testing.T, args ...string) result {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = t.TempDir()
	for name, text := range map[string]string{"valid.yaml": valid, "invalid.yaml": invalid} {
		require.NoError(t, os.WriteFile(filepath.Join(command.Dir, name), []byte(text), 0o600))
	}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	exit := &exec.ExitError{}
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{command.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

const (
	valid = `
virtual_models: [{name: auto}, {name: fast}]
default_model: m
models:
  - {name: m, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 100000, price: {input: 1, output: 2}}
`
	invalid = `
default_model: n
models:
  - {name: m, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 0, price: {input: 1, output: 2}}
hint: <deny>
`
	invalidErrors = `invalid.yaml:2: default_model: no model is called "n": did you mean m?
invalid.yaml:4: models[0].context_window: must be at least 1 (is 0)
invalid.yaml:5: hint: unknown key: did you mean hints?
`
)

func TestCheck_ValidFileIsOneLineOnStdout(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "check", "--config", "valid.yaml")
	assert.Equal(t, exitOK, got.code)
	assert.Regexp(t, `^valid\.yaml: ok \(1 model, 2 virtual models, config [0-9a-f]{12}\)\n$`, got.stdout)
	assert.Empty(t, got.stderr)
}

func TestCheck_InvalidFileIsEveryErrorOnStderr(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "check", "-c", "invalid.yaml")
	assert.Equal(t, result{exitFailure, "", invalidErrors}, got)
}

func TestCheck_MissingFileIsAFailure(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "check", "--config", "none.yaml")
	assert.Equal(t, result{exitFailure, "", "none.yaml: no such file: name an existing one\n"}, got)
}

func TestCheck_JSONIsForMachines(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "check", "--config", "valid.yaml", "--json")
	assert.Equal(t, result{exitOK, "[]\n", ""}, got)

	got = pointsman(t, "check", "--config", "invalid.yaml", "--json")
	assert.Equal(t, exitFailure, got.code)
	assert.Equal(t, "pointsman: invalid.yaml: 3 problems\n", got.stderr)
	var problems []config.Problem
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &problems))
	assert.Equal(t, invalidErrors, (&config.InvalidError{Problems: problems}).Error()+"\n")
	assert.Contains(t, got.stdout, `{"file":"invalid.yaml","line":5,"key":"hint","message":"unknown key: did you mean hints?"}`)
}

func TestUsageErrorsExitWith2(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args string
		want string
	}{
		{"", "no command given"},
		{"chekc", `unknown command "chekc": did you mean "check"?`},
		{"frobnicate", `unknown command "frobnicate"`},
		{"--frobnicate", "unknown flag: --frobnicate"},
		{"check", `required flag(s) "config" not set`},
		{"check --config", "flag needs an argument: --config"},
		{"check valid.yaml", `check takes no arguments, only flags (got "valid.yaml")`},
		{"check --config valid.yaml --colour", "unknown flag: --colour"},
		{"check --config valid.yaml --json=perhaps", `invalid argument "perhaps" for "--json" flag`},
		{"version now", `version takes no arguments, only flags (got "now")`},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			got := pointsman(t, strings.Fields(test.args)...)
			assert.Equal(t, exitUsage, got.code)
			assert.Empty(t, got.stdout)
			assert.Contains(t, got.stderr, "pointsman: "+test.want)
			assert.Regexp(t, `Run 'pointsman.* --help' for usage\.\n$`, got.stderr)
		})
	}
}

func TestHelp_ListsEveryCommandWithAnExample(t *testing.T) {
	t.Parallel()
	got := pointsman(t, "--help")
	assert.Equal(t, exitOK, got.code)
	assert.Empty(t, got.stderr)
	assert.Contains(t, got.stdout, "pointsman check --config pointsman.yaml")
	for _, command := range subcommands() {
		assert.Contains(t, got.stdout, command.Short)
		help := pointsman(t, command.Name(), "--help")
		assert.Equal(t, exitOK, help.code)
		assert.Contains(t, help.stdout, "Examples:\n  ", command.Name())
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	command, flag := pointsman(t, "version"), pointsman(t, "--version")
	assert.Equal(t, exitOK, command.code)
	assert.Regexp(t, `^pointsman \S+ \(go1\.\d+.*\)\n$`, command.stdout)
	assert.Equal(t, command, flag)
}
