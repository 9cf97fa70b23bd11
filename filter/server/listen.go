package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"time"
)

const (
	unixScheme = "unix://"
	// socketMode lets the socket's group call, as a sidecar's Envoy does.
	socketMode = 0o660
	// maxSocketPath is what Linux's sockaddr_un holds, without its final zero.
	maxSocketPath = 107
	// answerTimeout is how long whoever holds a socket may take to accept.
	answerTimeout = time.Second
)

var (
	errInUse     = errors.New("already in use: stop what listens there, or choose another address")
	errForbidden = errors.New("no permission: choose an address that this user may listen on")
	errNoSocket  = errors.New("there is a file that is no socket: remove it, or choose another path")
	errLongPath  = errors.New("too long for a socket: choose a shorter path")
)

// listen opens an address, host:port or unix:///path. Errors begin with key,
// the address's name in the configuration.
func listen(key, address string) (net.Listener, error) {
	if path, ok := strings.CutPrefix(address, unixScheme); ok {
		listener, err := listenUnix(path)
		return listener, explain(key, address, err)
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	return listener, explain(key, address, err)
}

func explain(key, address string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%s: %s: %w", key, address, errInUse)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("%s: %s: %w", key, address, errForbidden)
	default:
		return fmt.Errorf("%s: %s: %w", key, address, err)
	}
}

// listenUnix opens a socket that is removed when the listener is closed.
func listenUnix(path string) (net.Listener, error) {
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("%d bytes, at most %d: %w", len(path), maxSocketPath, errLongPath)
	}
	if err := removeStale(path); err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, socketMode); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

// removeStale removes a socket that a process left behind when it was killed.
// Whatever is no socket, or has somebody behind it, stays.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return errNoSocket
	}
	conn, err := (&net.Dialer{Timeout: answerTimeout}).DialContext(context.Background(), "unix", path)
	switch {
	case err == nil:
		return errors.Join(syscall.EADDRINUSE, conn.Close())
	case errors.Is(err, syscall.ECONNREFUSED):
		return os.Remove(path)
	default:
		return err
	}
}

// addressOf writes a listener's address the way the configuration does.
func addressOf(listener net.Listener) string {
	address := listener.Addr()
	if address.Network() == "unix" {
		return unixScheme + address.String()
	}
	return address.String()
}
