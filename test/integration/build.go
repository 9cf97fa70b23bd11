package integration

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/testcontainers/testcontainers-go"
)

// The images that the tests build. They are kept, so that the next run finds
// their layers.
const (
	pointsmanImage = "pointsman-test/pointsman"
	providerImage  = "pointsman-test/provider"
	tag            = "latest"
)

// root is the repository, seen from this package's folder.
const root = "../.."

// buildPointsman builds the Dockerfile with the module settings of this
// machine's Go.
func buildPointsman(ctx context.Context) error {
	text, err := goTool(ctx, "env", "-json", "GOPROXY", "GOSUMDB")
	if err != nil {
		return err
	}
	args := map[string]*string{}
	if err := json.Unmarshal(text, &args); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	return build(ctx, testcontainers.FromDockerfile{Context: root, BuildArgs: args, Repo: pointsmanImage})
}

// buildProvider compiles the stand-in here, where Go's build cache is, and
// puts the binary into an empty image.
func buildProvider(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "provider")
	if err != nil {
		return fmt.Errorf("build provider: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	binary := filepath.Join(folder, "provider")
	if _, err = goTool(ctx, "build", "-trimpath", "-buildvcs=false", "-o", binary, root+"/test/provider/cmd"); err != nil {
		return err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("build provider: %w", err)
	}
	archive, err := archiveOf(map[string][]byte{
		"provider":   program,
		"Dockerfile": []byte("FROM scratch\nCOPY provider /provider\nUSER 65532:65532\nENTRYPOINT [\"/provider\"]\n"),
	})
	if err != nil {
		return err
	}
	return build(ctx, testcontainers.FromDockerfile{ContextArchive: bytes.NewReader(archive), Repo: providerImage})
}

// archiveOf is a tar archive of executable files.
func archiveOf(files map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	archive := tar.NewWriter(&out)
	for name, content := range files {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}); err != nil {
			return nil, fmt.Errorf("archive %s: %w", name, err)
		}
		if _, err := archive.Write(content); err != nil {
			return nil, fmt.Errorf("archive %s: %w", name, err)
		}
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return out.Bytes(), nil
}

// build builds an image, and shows the builder's output where it fails.
func build(ctx context.Context, from testcontainers.FromDockerfile) error {
	docker, err := testcontainers.NewDockerProvider()
	if err != nil {
		return fmt.Errorf("build %s: %w", from.Repo, err)
	}
	defer func() { _ = docker.Close() }()
	var output bytes.Buffer
	from.Tag, from.KeepImage, from.BuildLogWriter = tag, true, &output
	if _, err := docker.BuildImage(ctx, &testcontainers.ContainerRequest{FromDockerfile: from}); err != nil {
		return fmt.Errorf("build %s: %w\n%s", from.Repo, err, output.String())
	}
	return nil
}

// goTool runs the go command for the containers' platform.
func goTool(ctx context.Context, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are written in this file
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", command, err, stderr.String())
	}
	return out, nil
}
