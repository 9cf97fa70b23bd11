package server

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestListenOnATakenPortSaysWhichAndWhatToDo(t *testing.T) {
	t.Parallel()
	first, err := listen("listen.grpc", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { assert.NoError(t, first.Close()) }()
	address := addressOf(first)
	_, err = listen("listen.admin", address)
	require.EqualError(t, err, "listen.admin: "+address+": already in use: stop what listens there, or choose another address")
}

func TestListenOnAnAddressOfAnotherMachineNamesIt(t *testing.T) {
	t.Parallel()
	_, err := listen("listen.grpc", "192.0.2.1:9002")
	require.ErrorContains(t, err, "listen.grpc: 192.0.2.1:9002: ")
}

func TestListenOnASocketLetsTheGroupCallAndCleansUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pointsman.sock")
	listener, err := listen("listen.grpc", "unix://"+path)
	require.NoError(t, err)
	assert.Equal(t, "unix://"+path, addressOf(listener))
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o660), info.Mode().Perm())
	require.NoError(t, listener.Close())
	assert.NoFileExists(t, path)
}

func TestListenReplacesAStaleSocketOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pointsman.sock")
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	require.NoError(t, err)
	_, err = listen("listen.grpc", "unix://"+path)
	require.EqualError(t, err, "listen.grpc: unix://"+path+": already in use: stop what listens there, or choose another address")
	conn, err := net.Dial("unix", path)
	require.NoError(t, err, "the socket still works")
	require.NoError(t, conn.Close())

	stale.SetUnlinkOnClose(false)
	require.NoError(t, stale.Close())
	require.FileExists(t, path)
	listener, err := listen("listen.grpc", "unix://"+path)
	require.NoError(t, err)
	require.NoError(t, listener.Close())
}

func TestListenNeverRemovesWhatIsNoSocket(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(path, []byte("dear"), 0o600))
	_, err := listen("listen.grpc", "unix://"+path)
	require.ErrorContains(t, err, "there is a file that is no socket")
	assert.FileExists(t, path)
}

func TestListenOnAPathThatIsTooLongSaysTheBound(t *testing.T) {
	t.Parallel()
	_, err := listen("listen.grpc", "unix:///"+strings.Repeat("x", maxSocketPath))
	require.ErrorContains(t, err, "108 bytes, at most 107: too long for a socket")
	path := "/tmp/" + strings.Repeat("x", maxSocketPath-len("/tmp/"))
	listener, err := listen("listen.grpc", "unix://"+path)
	require.NoError(t, err, "the bound itself is in")
	require.NoError(t, listener.Close())
}

func TestNewClosesTheFirstPortWhenTheSecondFails(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pointsman.sock")
	cfg := testConfig(1000)
	cfg.Listen.Grpc = new("unix://" + path)
	cfg.Listen.Admin = new("192.0.2.1:1")
	_, err := New(cfg, Services{}, Drain{}, nil)
	require.ErrorContains(t, err, "listen.admin")
	assert.NoFileExists(t, path)
}
