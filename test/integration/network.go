package integration

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"

	mobynetwork "github.com/moby/moby/api/types/network"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/network"
)

// pointsmanHost is the last byte of pointsman's address, far from those that
// the engine gives out by itself.
const pointsmanHost = 200

// choosing keeps two stacks from taking the same subnet.
var choosing sync.Mutex

// startNetwork makes a network on which pointsman can have an address that
// outlives a restart. An engine gives fixed addresses only on networks whose
// subnet was named, so a first network finds out which subnet is free.
func (s *Stack) startNetwork(ctx context.Context) error {
	choosing.Lock()
	defer choosing.Unlock()
	subnet, err := s.freeSubnet(ctx)
	if err != nil {
		return err
	}
	named := &mobynetwork.IPAM{Config: []mobynetwork.IPAMConfig{{Subnet: subnet}}}
	if s.network, err = network.New(ctx, network.WithIPAM(named), network.WithLabels(labels())); err != nil {
		return fmt.Errorf("network %s: %w", subnet, err)
	}
	octets := subnet.Masked().Addr().As4()
	octets[3] = pointsmanHost
	s.address = netip.AddrFrom4(octets)
	return nil
}

func (s *Stack) freeSubnet(ctx context.Context) (netip.Prefix, error) {
	probe, err := network.New(ctx, network.WithLabels(labels()))
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("network: %w", err)
	}
	found, err := s.docker.NetworkInspect(ctx, probe.ID, client.NetworkInspectOptions{})
	if err = errors.Join(err, probe.Remove(ctx)); err != nil {
		return netip.Prefix{}, fmt.Errorf("network %s: %w", probe.Name, err)
	}
	for _, pool := range found.Network.IPAM.Config {
		if pool.Subnet.Addr().Is4() {
			return pool.Subnet, nil
		}
	}
	return netip.Prefix{}, fmt.Errorf("network %s has no IPv4 subnet", probe.Name)
}

// fixed gives a container an address.
func fixed(address netip.Addr) testcontainers.CustomizeRequestOption {
	return testcontainers.WithEndpointSettingsModifier(func(endpoints map[string]*mobynetwork.EndpointSettings) {
		for _, endpoint := range endpoints {
			endpoint.IPAMConfig = &mobynetwork.EndpointIPAMConfig{IPv4Address: address}
		}
	})
}
