//go:build !race

package conformance

// largest is the largest body of a test run that is not the whole matrix, in
// bytes.
const largest = 5 * megabyte
