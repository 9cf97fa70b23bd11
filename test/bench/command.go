package main

import "github.com/spf13/cobra"

type options struct {
	quick, json bool
	write       []string
}

func newCommand(measure func(options) error) *cobra.Command {
	var chosen options
	command := &cobra.Command{
		Use:   "bench [--quick] [--json] [--write FILE]",
		Short: "Measure what pointsman costs, through a real Envoy",
		Long: `Sends an agent's requests of 2 KB to 20 MB through a real Envoy with pointsman
behind it, and through another with an external processor that does nothing, in
turns and in both body modes, and prints what the one takes of the other: the
time of a request with one client, requests per second with several, and the
processor's CPU time and peak memory meanwhile.

Ratios are the median over the rounds, with the least and the greatest. They
hold on any machine; the absolute figures are this machine's, and everything
shares it: client, Envoy, processor and upstream.

Envoy is taken from ENVOY_PATH, else from PATH, else downloaded once. The exit
status is 1 when a request is not answered with 200.`,
		Example: `  go run ./test/bench

  # In about a minute, with more noise
  go run ./test/bench --quick

  # Every round's figures, for another program
  go run ./test/bench --json | jq '.rows[] | {bytes, rounds}'

  # Also put the tables between the markers in the documentation: the whole of
  # it, or the short one, as a document's markers say
  go run ./test/bench --write README.md --write ARCHITECTURE.md`,
		Args:          cobra.NoArgs,
		RunE:          func(*cobra.Command, []string) error { return measure(chosen) },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	command.CompletionOptions.DisableDefaultCmd = true
	flags := command.Flags()
	flags.BoolVar(&chosen.quick, "quick", false, "fewer and shorter rounds: about a minute instead of about ten")
	flags.BoolVar(&chosen.json, "json", false, "print JSON instead of a table")
	flags.StringArrayVar(&chosen.write, "write", nil,
		"also put the table into `FILE`, between the lines "+beginOf(wholeMarker)+" and "+endOf(wholeMarker)+
			", or the short one between those of "+shortMarker)
	return command
}
