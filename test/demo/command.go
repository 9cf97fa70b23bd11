package main

import "github.com/spf13/cobra"

type options struct {
	stay, keep, json bool
}

func newCommand(play func(options) error) *cobra.Command {
	var chosen options
	command := &cobra.Command{
		Use:   "demo [--stay] [--json] [--keep]",
		Short: "Play an agent's session through a real Envoy and pointsman",
		Long: `Starts pointsman, a real Envoy and two stand-in model providers on free ports of
127.0.0.1, plays a coding agent's session through them, over each of the APIs,
and prints what was decided about each request, why, and what it cost. Then
pointsman is killed and started again, to show what a client notices of it.

Envoy is taken from ENVOY_PATH, else from PATH, else downloaded once. The exit
status is 1 when anything is not as it should be: a status other than 200, a
byte beside the model that changed on the way, a decision without a record.`,
		Example: `  go run ./test/demo

  # Only the rows, for another program
  go run ./test/demo --json | jq '.sessions[] | .api, (.rows[] | {asked, model, why})'

  # Keep configuration, bootstrap and logs to read them
  go run ./test/demo --keep

  # Start everything, and stay up to be tried with curl
  go run ./test/demo --stay`,
		Args:          cobra.NoArgs,
		RunE:          func(*cobra.Command, []string) error { return play(chosen) },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	command.CompletionOptions.DisableDefaultCmd = true
	command.Flags().BoolVar(&chosen.stay, "stay", false, "start everything, say how to try it, and wait for Ctrl-C")
	command.Flags().BoolVar(&chosen.json, "json", false, "print JSON instead of a table")
	command.Flags().BoolVar(&chosen.keep, "keep", false, "keep the folder with configuration, bootstrap and logs")
	command.MarkFlagsMutuallyExclusive("stay", "json")
	return command
}
