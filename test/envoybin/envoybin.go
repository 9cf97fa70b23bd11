package envoybin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Variable is the environment variable that names the binary to use, whatever
// its version.
const Variable = "ENVOY_PATH"

// folder is where a fetched binary is kept, in the repository's root.
const folder = ".envoy"

// Path is the path of an Envoy binary: the one that ENVOY_PATH names, or envoy
// on PATH if it is recent enough, or the one fetched into .envoy in the
// repository's root, which takes half a minute the first time. The error says
// what was wrong with each.
func Path(ctx context.Context) (string, error) {
	root, err := repositoryRoot()
	if err != nil {
		return "", err
	}
	return PathIn(ctx, filepath.Join(root, folder))
}

// PathIn is Path with another folder for the fetched binary.
func PathIn(ctx context.Context, cache string) (string, error) {
	if named := os.Getenv(Variable); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("%s: %w: name an Envoy binary, or unset it", Variable, err)
		}
		return filepath.Abs(path)
	}
	installed, notInstalled := onPath(ctx)
	if notInstalled == nil {
		return installed, nil
	}
	fetched, notFetched := fetch(ctx, cache)
	if notFetched == nil {
		return fetched, nil
	}
	return "", errors.Join(
		fmt.Errorf("there is no Envoy to test with: set %s to an Envoy %s or newer, "+
			"or install one, or make it possible to fetch one", Variable, oldest),
		notInstalled, notFetched)
}

// onPath is envoy on PATH, if it is recent enough.
func onPath(ctx context.Context) (string, error) {
	path, err := exec.LookPath("envoy")
	if err != nil {
		return "", fmt.Errorf("on PATH: %w", err)
	}
	has, err := versionOf(ctx, path)
	if err != nil {
		return "", fmt.Errorf("on PATH: %w", err)
	}
	if has.before(oldest) {
		return "", fmt.Errorf("on PATH: %s is Envoy %s: %s or newer is needed", path, has, oldest)
	}
	return filepath.Abs(path)
}

// repositoryRoot is the nearest folder above the current one that holds a
// go.mod.
func repositoryRoot() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not inside the repository: there is no go.mod above it", start)
		}
	}
}
