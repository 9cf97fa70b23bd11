// Package signals turns a text into numbers: which phrases of twelve languages
// stand in it and where, how much of it is code, a log or a formula, how long it
// is, and which words, pieces of words and concepts it consists of.
//
// Training and serving read texts with this one package, so that they cannot see
// different things. It opens no connection, keeps nothing, and looks at a bounded
// part of a text.
package signals
