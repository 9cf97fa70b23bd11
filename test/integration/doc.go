// Package integration runs pointsman as it is deployed: the image of the
// Dockerfile, a real Envoy with the configuration that package envoy
// generates, and stand-in providers, each in a container of its own on one
// network.
//
// Most tests share one [Stack] and tell their requests apart by a marker of
// their own in the message. A test that stops pointsman, or needs another
// configuration, starts its own. Nothing is skipped: without Docker, or
// without the images, the tests fail and say what to run.
package integration
