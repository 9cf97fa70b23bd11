package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// subcommands lists every subcommand; each has a file of its own.
func subcommands() []*cobra.Command {
	return []*cobra.Command{
		newCheckCommand(),
		newClassifyCommand(),
		newEnvoyCommand(),
		newExplainCommand(),
		newReplayCommand(),
		newServeCommand(),
		newVersionCommand(),
	}
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "pointsman COMMAND",
		Short: "Route LLM requests inside your own Envoy",
		Long: `pointsman is called by Envoy for each LLM request. It works out what the request
needs, selects the cheapest model that can do it, and tells Envoy by rewriting
the body's model field and setting x-selected-model.`,
		Example: `  # Is the configuration right, and what would become of my requests?
  pointsman check --config pointsman.yaml
  pointsman explain --config pointsman.yaml --requests requests.jsonl

  # Run it beside an Envoy that calls it.
  pointsman envoy --config pointsman.yaml > envoy.yaml
  pointsman serve --config pointsman.yaml
  envoy -c envoy.yaml`,
		Version:       version(),
		Args:          refuseUnknownCommand,
		RunE:          func(*cobra.Command, []string) error { return errors.New("no command given") },
		SilenceErrors: true,
		SilenceUsage:  true,

		DisableFlagsInUseLine:      true,
		SuggestionsMinimumDistance: maxTypos,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	for _, command := range subcommands() {
		command.RunE = failing(command.RunE)
		root.AddCommand(command)
	}
	return root
}

// maxTypos is how many letters a command may be off and still be recognized in a
// suggestion.
const maxTypos = 2

// configFlag adds the required --config flag to a command.
func configFlag(command *cobra.Command, path *string) {
	command.Flags().StringVarP(path, "config", "c", "", "configuration `file` (YAML)")
	if err := command.MarkFlagRequired("config"); err != nil {
		panic(err) // the flag was added one line above
	}
}

// failure is an error of a command that had begun its work. Every other error
// comes from reading the command line, and is a usage error.
type failure struct{ error }

func (f *failure) Unwrap() error { return f.error }

type runE = func(*cobra.Command, []string) error

func failing(run runE) runE {
	return func(command *cobra.Command, args []string) error {
		if err := run(command, args); err != nil {
			return &failure{err}
		}
		return nil
	}
}

// noArguments is for commands that flags say everything to.
func noArguments(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, only flags (got %q)", command.Name(), args[0])
}

func refuseUnknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("unknown command %q: did you mean %q?", args[0], near[0])
	}
	return fmt.Errorf("unknown command %q", args[0])
}
