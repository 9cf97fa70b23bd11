package envoybin

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
)

// version is a release of Envoy. Patch releases make no difference here.
type version struct{ major, minor int }

// oldest is the first release with everything that the generated configuration
// uses.
var oldest = version{1, 40}

func (v version) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

func (v version) before(other version) bool {
	return v.major < other.major || v.major == other.major && v.minor < other.minor
}

// versionOf asks the binary at path.
func versionOf(ctx context.Context, path string) (version, error) {
	output, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return version{}, fmt.Errorf("%s --version: %w", path, err)
	}
	v, ok := parseVersion(string(output))
	if !ok {
		return version{}, fmt.Errorf("%s --version: no release in %.80q", path, output)
	}
	return v, nil
}

// release is what stands between the slashes after the commit in
// `envoy  version: 9e55…/1.40.0/Clean/RELEASE/BoringSSL`.
var release = regexp.MustCompile(`version: [0-9a-f]+/(\d+)\.(\d+)\.`)

func parseVersion(output string) (version, bool) {
	found := release.FindStringSubmatch(output)
	if found == nil {
		return version{}, false
	}
	major, errMajor := strconv.Atoi(found[1])
	minor, errMinor := strconv.Atoi(found[2])
	return version{major, minor}, errMajor == nil && errMinor == nil
}
