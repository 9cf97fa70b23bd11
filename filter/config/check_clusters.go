package config

import (
	"slices"
	"strings"

	"github.com/pointsman/pointsman/filter/decision"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// ownCluster is what the generated Envoy configuration calls pointsman's own
// cluster.
const ownCluster = "pointsman"

// cluster reports a name that no cluster has. A mesh with clusters of its own
// lists none, and then any name may be right.
func (c checker) cluster(key, name string) {
	known := names(c.GetClusters())
	if name != "" && len(known) > 0 && len(known) == len(c.GetClusters()) && !slices.Contains(known, name) {
		c.addf(key, "%s", missing("cluster", name, known))
	}
}

func (c checker) clusters() {
	unique(c.problems, "clusters", c.GetClusters())
	for i, cluster := range c.GetClusters() {
		key := item("clusters", i)
		if cluster.GetName() == ownCluster {
			c.addf(child(key, "name"), "%s is the generated configuration's cluster for pointsman itself: choose another", quote(ownCluster))
		}
		c.pathPrefix(child(key, "path_prefix"), cluster.GetPathPrefix())
		if cluster.GetCredential() != nil {
			c.credential(child(key, "credential"), cluster.GetCredential())
		}
	}
	c.cluster("envoy.default_cluster", c.GetEnvoy().GetDefaultCluster())
}

// pathPrefix refuses the version that every request's path has already.
func (c checker) pathPrefix(key, prefix string) {
	before, ok := strings.CutSuffix(prefix, "/v1")
	switch {
	case ok && before == "":
		c.addf(key, "must not be /v1, which the request's own path has already: leave it out")
	case ok:
		c.addf(key, "must not end with /v1, which the request's own path has already (is %s: write %s)", quote(prefix), before)
	}
}

func (c checker) credential(key string, credential *configv1.Credential) {
	header := credential.GetHeader()
	if owned(header) {
		c.addf(child(key, "header"), "%s is pointsman's own header: name the one that the provider reads", quote(header))
	}
	if slices.Contains([]string{"host", "content-length", "content-type", "transfer-encoding", "connection", "te"}, header) {
		c.addf(child(key, "header"), "%s carries no credential: name the header that the provider reads, such as authorization", quote(header))
	}
	if scheme := strings.ToLower(credential.GetPrefix()); scheme == "bearer" || scheme == "basic" {
		c.addf(child(key, "prefix"), `must end with a space, which YAML keeps in quotes only: write "%s "`, credential.GetPrefix())
	}
}

// owned reports whether a header is one that pointsman sets, reads as a hint or
// may come to use.
func owned(header string) bool {
	return strings.HasPrefix(header, "x-pointsman-") ||
		slices.Contains(decision.OwnedHeaders(), header) || slices.Contains(decision.HintHeaders(), header)
}

// secretHeaders carry credentials, which must not end up in records as the name
// of who pays.
var secretHeaders = []string{"authorization", "proxy-authorization", "x-api-key", "api-key", "cookie"}

func (p *problems) principal(principal *configv1.Principal) {
	const key = "principal.header"
	switch header := principal.GetHeader(); {
	case principal == nil || p.known["principal"]:
	case principal.GetFrom() == nil:
		p.addf("principal", "must have header or metadata: say where the payer's name is found, or leave the section out")
	case owned(header):
		p.addf(key, "%s is pointsman's own header: name the one that says who pays", quote(header))
	case slices.Contains(secretHeaders, header):
		p.addf(key, "%s carries a secret, and the principal is recorded: name a header such as x-team, set by an earlier filter", quote(header))
	}
}
