// Package batch classifies prompts that come as JSON Lines, on all cores, and
// prints the answers in the order of the prompts. It holds a few dozen lines at a
// time, however many there are.
package batch
