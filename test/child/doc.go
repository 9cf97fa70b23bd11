// Package child starts the programs that the demo and the benchmark are made
// of, waits until they are ready, and stops them in order. The error of one that
// does not do what it should has the end of its log.
package child
