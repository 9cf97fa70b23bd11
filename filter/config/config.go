package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"buf.build/go/protovalidate"
	"buf.build/go/protoyaml"
	"google.golang.org/protobuf/proto"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// Config is one valid configuration. It is never changed after it was loaded,
// so that any number of goroutines may read it.
type Config struct {
	*configv1.Config

	// Hash identifies the effective configuration, in 12 hexadecimal digits.
	Hash string
}

// Load reads and validates the file at path. An error of the file's content is
// an *InvalidError.
func Load(path string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(filepath.Base(path), data)
}

// Parse validates data, the content of a file called file in errors. An error
// is an *InvalidError.
func Parse(file string, data []byte) (*Config, error) {
	message := &configv1.Config{}
	if err := protoyaml.Unmarshal(data, message); err != nil {
		return nil, &InvalidError{Problems: []Problem{{File: file, Message: err.Error()}}}
	}
	if err := protovalidate.Validate(message); err != nil {
		return nil, &InvalidError{Problems: []Problem{{File: file, Message: err.Error()}}}
	}
	text, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		return nil, errors.Join(err)
	}
	sum := sha256.Sum256(text)
	return &Config{Config: message, Hash: hex.EncodeToString(sum[:6])}, nil
}

// Model is the catalogue model called name, or nil.
func (c *Config) Model(name string) *configv1.Model {
	for _, model := range c.GetModels() {
		if model.GetName() == name {
			return model
		}
	}
	return nil
}

// Cluster is the cluster called name, or nil: a mesh with clusters of its own
// names none here.
func (c *Config) Cluster(name string) *configv1.Cluster {
	for _, cluster := range c.GetClusters() {
		if cluster.GetName() == name {
			return cluster
		}
	}
	return nil
}

// DefaultModel is the model for api when nothing better is known: the one of
// default_model_by_api, or else default_model.
func (c *Config) DefaultModel(api string) *configv1.Model {
	if name, ok := c.GetDefaultModelByApi()[api]; ok {
		return c.Model(name)
	}
	return c.Model(c.GetDefaultModel())
}
