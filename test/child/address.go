package child

import (
	"fmt"
	"net"
)

// FreeAddresses finds free addresses of 127.0.0.1. They are held until all are
// found, so that they differ, and then let go for those who will listen there.
func FreeAddresses(addresses ...*string) error {
	for _, address := range addresses {
		listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // nothing to wait for
		if err != nil {
			return fmt.Errorf("find a free port: %w", err)
		}
		defer func() { _ = listener.Close() }()
		*address = listener.Addr().String()
	}
	return nil
}
