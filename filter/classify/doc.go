// Package classify says what kind of work a request asks for: a category, a
// tier and a difficulty that ranks within the tier.
//
// Frame lays out the text that a classifier sees, with the prior turn beside
// the message where there is one, and writes the instruction for exactly that
// layout. The Classifier reads the framed text for plain signals: words and
// phrases of ten languages, code, logs, notation, lists of requirements. It
// opens no connection, looks at a bounded part of the text however long that
// is, and gives the same answer for the same text.
//
// A follow-up such as "yes, go ahead" inherits category and weight of the turn
// that it continues; thanks, farewells and changes of topic do not.
package classify
