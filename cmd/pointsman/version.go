package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: `  pointsman version`,
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(command.OutOrStdout(), version())
			return err
		},
	}
}

// version is what the toolchain stamped into the binary: the module's version,
// which names the commit where there is no tag, and the Go that built it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "pointsman, built without version information"
	}
	return fmt.Sprintf("pointsman %s (%s)", info.Main.Version, info.GoVersion)
}
