package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/filter/config"
)

func newCheckCommand() *cobra.Command {
	var path string
	command := &cobra.Command{
		Use:     "check --config FILE",
		Short:   "Check a configuration file",
		Example: `  pointsman check --config pointsman.yaml`,
		Args:    cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			loaded, err := config.Load(path)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(command.OutOrStdout(), "%s: ok (%d models, %d virtual models, config %s)\n",
				path, len(loaded.GetModels()), len(loaded.GetVirtualModels()), loaded.Hash)
			return err
		},
	}
	configFlag(command, &path)
	return command
}
