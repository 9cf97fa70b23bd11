// Package config reads pointsman's configuration: YAML text becomes a
// validated message that never changes afterwards, or a list of everything
// that is wrong with it, each with its line, its key and what to do.
//
// Bounds and plain defaults live in the schema, proto/pointsman/config/v1.
// Defaults that follow another key live in defaults.go and nowhere else.
package config
