package config

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
)

const (
	unixScheme = "unix://"
	// maxSocketPath is what fits into Linux's sockaddr_un beside the zero that
	// ends it, in bytes (unix(7)).
	maxSocketPath = 107
)

// address is host:port or unix:///path, taken apart.
type address struct {
	host   string // empty: every interface
	port   int    // 0: any free port
	socket string // path of a Unix socket; empty for TCP
}

// use says what an address is for, and so what it may be.
type use int

const (
	listens     use = iota // pointsman listens there
	listensAtIP            // Envoy listens there
	dialled                // Envoy dials pointsman there
	upstream               // Envoy dials a provider there
)

// examples shows an address for each use.
var examples = [...]string{
	listens:     "host:port or unix:///path, such as 127.0.0.1:9002",
	listensAtIP: "host:port or unix:///path, such as 127.0.0.1:10000",
	dialled:     "host:port or unix:///path, such as 127.0.0.1:9002",
	upstream:    "host:port, such as api.example.com:443",
}

// parseAddress takes an address apart, or says why it cannot and what to do.
func parseAddress(text string, as use) (parsed address, why string) {
	if path, ok := strings.CutPrefix(text, unixScheme); ok && as != upstream {
		return parseSocket(path)
	}
	if strings.Contains(text, "://") {
		return address{}, "leave out the scheme"
	}
	host, service, err := net.SplitHostPort(text)
	if err != nil {
		return address{}, whyNoHostPort(text)
	}
	return parseHostPort(host, service, as)
}

func parseSocket(path string) (parsed address, why string) {
	switch {
	case !strings.HasPrefix(path, "/"):
		return address{}, "the path of a Unix socket begins with a slash, so with unix:/// in all"
	case len(path) > maxSocketPath:
		return address{}, fmt.Sprintf("the path of a Unix socket has at most %d bytes, not %d", maxSocketPath, len(path))
	default:
		return address{socket: path}, ""
	}
}

func parseHostPort(host, service string, as use) (parsed address, why string) {
	least := 0
	if as == dialled || as == upstream {
		least = 1
	}
	port, err := strconv.ParseUint(service, 10, 16)
	_, notIP := netip.ParseAddr(host)
	switch {
	case err != nil || int(port) < least:
		return address{}, fmt.Sprintf("the port must be a number from %d to 65535", least)
	case host == "" && least == 1:
		return address{}, "the host is missing"
	case strings.ContainsFunc(host, notInHost):
		return address{}, "the host must be a name or an IP address"
	case notIP != nil && host != "" && as == listensAtIP:
		return address{}, "Envoy listens at IP addresses and looks no names up: write 127.0.0.1, or 0.0.0.0 for every interface"
	default:
		return address{host: host, port: int(port)}, ""
	}
}

func notInHost(char rune) bool {
	return char > unicode.MaxASCII || !unicode.IsLetter(char) && !unicode.IsDigit(char) && !strings.ContainsRune(".-_:%", char)
}

func whyNoHostPort(text string) string {
	if !strings.Contains(text, ":") {
		return "the port is missing"
	}
	return "an IPv6 address stands in brackets, with the port after them, as in [::1]:9002"
}

// meets reports whether two services cannot both listen at a and b.
func (a address) meets(b address) bool {
	if a.socket != "" || b.socket != "" {
		return a.socket == b.socket
	}
	return a.port == b.port && a.port != 0 && (a.everywhere() || b.everywhere() || a.loopback() == b.loopback())
}

// everywhere reports whether a stands for every interface.
func (a address) everywhere() bool {
	ip, err := netip.ParseAddr(a.host)
	return a.socket == "" && (a.host == "" || err == nil && ip.IsUnspecified())
}

// loopback is the host, by one name where it has two.
func (a address) loopback() string {
	if strings.EqualFold(a.host, "localhost") {
		return "127.0.0.1"
	}
	return a.host
}

// onThisMachine is where a client on the same machine reaches what listens at
// a.
func (a address) onThisMachine() address {
	if !a.everywhere() {
		return a
	}
	a.host = "127.0.0.1"
	return a
}

func (a address) String() string {
	if a.socket != "" {
		return unixScheme + a.socket
	}
	return net.JoinHostPort(a.host, strconv.Itoa(a.port))
}
