//go:build race

package conformance

// largest is the largest body of a test run that is not the whole matrix, in
// bytes. The race detector makes each several times as long.
const largest = megabyte
