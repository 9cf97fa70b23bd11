package envoy

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
)

// address is a place to listen at or to dial.
type address struct {
	socket string // path of a Unix socket; empty for TCP
	host   string
	port   uint32
}

// address takes host:port or unix:///path apart. Without a host it is every
// interface, which can only be listened at.
func (g *generator) address(text string) address {
	if path, ok := strings.CutPrefix(text, "unix://"); ok {
		return address{socket: path}
	}
	host, service, err := net.SplitHostPort(text)
	if err != nil {
		g.errs = append(g.errs, fmt.Errorf("address %q: %w", text, err))
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil {
		g.errs = append(g.errs, fmt.Errorf("address %q: %w", text, err))
	}
	if host == "" {
		host = "0.0.0.0"
	}
	return address{host: host, port: uint32(port)}
}

// needsLookup says whether the host is a name.
func (a address) needsLookup() bool { return a.socket == "" && !isIP(a.host) }

func isIP(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

func (a address) proto() *corev3.Address {
	if a.socket != "" {
		return &corev3.Address{Address: &corev3.Address_Pipe{Pipe: &corev3.Pipe{Path: a.socket}}}
	}
	return &corev3.Address{Address: &corev3.Address_SocketAddress{SocketAddress: &corev3.SocketAddress{
		Address:       a.host,
		PortSpecifier: &corev3.SocketAddress_PortValue{PortValue: a.port},
	}}}
}
