package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/filter/config"
)

func newCheckCommand() *cobra.Command {
	var path string
	var machine bool
	command := &cobra.Command{
		Use:   "check --config FILE",
		Short: "Check a configuration file",
		Long: `Check reads a configuration the way serve does. A valid one is confirmed on one
line of stdout, with the hash that its decisions will carry. Otherwise every
problem is on a line of its own on stderr: file, line, key, what is wrong and
what to do; the exit code is then 1.`,
		Example: `  pointsman check --config pointsman.yaml
  pointsman check --config pointsman.yaml --json | jq -r '.[].key'`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			loaded, err := config.Load(path)
			if machine {
				return writeProblems(command.OutOrStdout(), path, err)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(command.OutOrStdout(), summary(path, loaded))
			return err
		},
	}
	configFlag(command, &path)
	command.Flags().BoolVar(&machine, "json", false, "write the problems to stdout as a JSON array, empty for a valid file")
	return command
}

func summary(path string, loaded *config.Config) string {
	return fmt.Sprintf("%s: ok (%s, %s, config %s)", path,
		count(len(loaded.GetModels()), "model"), count(len(loaded.GetVirtualModels()), "virtual model"), loaded.Hash)
}

// writeProblems writes what is wrong with a file as a JSON array, and sums it
// up in its error.
func writeProblems(to io.Writer, path string, loading error) error {
	problems := []config.Problem{}
	if invalid, ok := errors.AsType[*config.InvalidError](loading); ok {
		problems = invalid.Problems
	}
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(problems); err != nil {
		return fmt.Errorf("write problems: %w", err)
	}
	if len(problems) > 0 {
		return fmt.Errorf("%s: %s", path, count(len(problems), "problem"))
	}
	return nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// allRead fails where lines of input could not be read.
func allRead(bad int) error {
	if bad > 0 {
		return errors.New(count(bad, "line") + " could not be read")
	}
	return nil
}
