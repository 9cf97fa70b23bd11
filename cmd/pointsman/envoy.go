package main

import (
	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/filter/config"
)

func newEnvoyCommand() *cobra.Command {
	var path string
	var asJSON bool
	command := &cobra.Command{
		Use:   "envoy --config FILE",
		Short: "Print the Envoy configuration that goes with a configuration",
		Long: `Envoy prints a complete bootstrap for Envoy 1.40 or newer: a listener, the
routes that send each model's requests to its cluster, the clusters, and
pointsman itself. When pointsman is down, requests go on to the default model.

It reads no credential: Envoy does, from the files that the clusters name, when
it starts. A mesh that has clusters of its own needs no bootstrap; there the
routes belong into the mesh's configuration.`,
		Example: `  pointsman envoy --config pointsman.yaml > envoy.yaml
  envoy --mode validate -c envoy.yaml
  envoy -c envoy.yaml

  # Without a file in between, in bash. Envoy tells YAML by the file's name, so
  # here it has to be JSON.
  envoy -c <(pointsman envoy --config pointsman.yaml --json)

  pointsman envoy --config pointsman.yaml --json | jq -r '.static_resources.clusters[].name'`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error { return printBootstrap(command, path, asJSON) },
	}
	configFlag(command, &path)
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of YAML")
	return command
}

func printBootstrap(command *cobra.Command, path string, asJSON bool) error {
	cfg, err := config.Load(path)
	if err != nil {
		return err
	}
	bootstrap, err := envoy.Bootstrap(cfg)
	if err != nil {
		return err
	}
	write := envoy.YAML
	if asJSON {
		write = envoy.JSON
	}
	text, err := write(bootstrap)
	if err != nil {
		return err
	}
	_, err = command.OutOrStdout().Write(text)
	return err
}
