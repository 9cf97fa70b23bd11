package child

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// ModuleRoot is the folder of the module that the current one belongs to.
func ModuleRoot(ctx context.Context) (string, error) {
	file, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	return filepath.Dir(strings.TrimSpace(string(file))), nil
}

// Build builds a command of the module, such as ./cmd/pointsman.
func Build(ctx context.Context, root, command, binary string) error {
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, command) //nolint:gosec // a package and a file of the caller's
	build.Dir = root
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", command, err, output)
	}
	return nil
}
