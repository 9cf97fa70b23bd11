package config

import configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"

// tlsOnly is the port where a provider speaks TLS and nothing else.
const tlsOnly = 443

// service is an address of the configuration and the key that holds it.
type service struct {
	address

	key string
}

// addresses checks each address by itself, and then that no two services share
// one. Envoy's can meet pointsman's only where both run on one machine, which
// is what a missing envoy.pointsman_address means.
func (c checker) addresses() {
	var own, envoys []service
	own = c.address(own, "listen.grpc", c.GetListen().GetGrpc(), listens)
	own = c.address(own, "listen.admin", c.GetListen().GetAdmin(), listens)
	envoys = c.address(envoys, "envoy.listener", c.GetEnvoy().GetListener(), listensAtIP)
	envoys = c.address(envoys, "envoy.admin", c.GetEnvoy().GetAdmin(), listensAtIP)
	c.distinct(own)
	if dial := c.GetEnvoy().GetPointsmanAddress(); dial != "" {
		c.address(nil, "envoy.pointsman_address", dial, dialled)
		c.distinct(envoys)
	} else {
		c.distinct(append(own, envoys...))
		c.reachesPointsman(own)
	}
	for i, cluster := range c.GetClusters() {
		c.upstream(item("clusters", i), cluster, envoys)
	}
}

// address adds an address to those that are right, or reports it.
func (c checker) address(right []service, key, text string, as use) []service {
	if text == "" {
		return right // the schema's rules report empty ones
	}
	parsed, why := parseAddress(text, as)
	if why != "" {
		c.addf(key, "must be %s (is %s: %s)", examples[as], quote(text), why)
		return right
	}
	return append(right, service{parsed, key})
}

func (c checker) distinct(services []service) {
	for i, later := range services {
		for _, earlier := range services[:i] {
			if later.meets(earlier.address) {
				c.addf(later.key, "is already taken by %s (%s): give each an address of its own", earlier.key, earlier)
			}
		}
	}
}

// reachesPointsman refuses a port that nobody knows beforehand where Envoy is
// configured to dial it.
func (c checker) reachesPointsman(own []service) {
	for _, listener := range own {
		if listener.key == "listen.grpc" && listener.socket == "" && listener.port == 0 && len(c.GetClusters()) > 0 {
			c.addf("envoy.pointsman_address", "must be set where listen.grpc is any free port: Envoy has to know where to dial")
		}
	}
}

func (c checker) upstream(key string, cluster *configv1.Cluster, envoys []service) {
	key = child(key, "address")
	for _, target := range c.address(nil, key, cluster.GetAddress(), upstream) {
		if target.port == tlsOnly && cluster.GetTls() == nil {
			c.addf(key, "is a port for TLS, and the cluster has none: add tls: {} (is %s)", quote(cluster.GetAddress()))
		}
		for _, envoy := range envoys {
			if envoy.key == "envoy.listener" && envoy.meets(target.address) && target.loopback() == envoy.onThisMachine().loopback() {
				c.addf(key, "is %s, where Envoy itself listens: give the provider's address", envoy.key)
			}
		}
	}
}
