// Package integration runs pointsman as it is deployed: the image of the
// Dockerfile, a real Envoy with the configuration that package envoy
// generates, and stand-in providers, each in a container of its own on one
// network.
//
// Most tests share a [Stack] and tell their requests apart by a mark of their
// own in the path. There are three to share: one as people would run it, one
// with the low limit on bodies that the table of package odd is written for, and
// one with what the first has not, such as TLS, shadow mode and a rollout. A test
// that stops pointsman starts its own. Nothing is skipped: without Docker, or
// without the images, the tests fail and say what to run.
package integration
