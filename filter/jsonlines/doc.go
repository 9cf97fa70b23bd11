// Package jsonlines says what is wrong with a line of JSON Lines, in the words that
// every command has for it.
package jsonlines
