package config

import (
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// Config is one valid, effective configuration: every default is filled in, so
// that what a getter returns is what holds. It is never changed after it was
// loaded; any number of goroutines may read it.
type Config struct {
	*configv1.Config

	// Hash identifies the effective configuration, in 12 hexadecimal digits.
	// Comments, the order of keys and defaults written out do not change it.
	Hash string

	// PruneHash identifies the prune policy alone in the same way. A changed
	// policy cuts the sessions under way anew, once.
	PruneHash string
}

// Model is the catalogue model called name, or nil.
func (c *Config) Model(name string) *configv1.Model { return find(c.GetModels(), name) }

// Cluster is the cluster called name, or nil. A mesh with clusters of its own
// names none here.
func (c *Config) Cluster(name string) *configv1.Cluster { return find(c.GetClusters(), name) }

// DefaultModel is the model for api when nothing better is known. It is nil for
// an API that no model speaks.
func (c *Config) DefaultModel(api string) *configv1.Model {
	return c.Model(c.GetDefaultModelByApi()[api])
}

func find[T interface{ GetName() string }](entries []T, name string) T {
	for _, entry := range entries {
		if entry.GetName() == name {
			return entry
		}
	}
	var none T
	return none
}
