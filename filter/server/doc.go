// Package server runs pointsman's services: the external processor, the
// access-log service and gRPC health checks on one gRPC port, liveness and
// readiness over HTTP on another.
//
// A server says that it is ready only while it is. When it is told to stop, its
// readiness goes first, so that Envoy sends the next requests elsewhere; then
// it finishes what it has begun, within a bound. A handler that panics costs
// its own request and nothing else.
package server
