// Command pointsman routes LLM requests inside an Envoy that its users already
// run. Each subcommand has a file of its own here; what they do is in the
// packages below filter and envoy.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pointsman/pointsman/filter/config"
)

// The exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program: results on stdout, everything else on stderr.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err := root.ExecuteC()
	if err == nil {
		return exitOK
	}
	text, code := account(err, command.CommandPath())
	_, _ = io.WriteString(stderr, text) // there is nowhere else to say that it failed
	return code
}

// account is what stderr and the exit code say about an error of a command.
func account(err error, command string) (text string, code int) {
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		return fmt.Sprintln(invalid), exitFailure
	}
	text = fmt.Sprintln("pointsman:", err)
	if _, ok := errors.AsType[*failure](err); ok {
		return text, exitFailure
	}
	return text + fmt.Sprintf("Run '%s --help' for usage.\n", command), exitUsage
}
