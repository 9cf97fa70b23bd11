// Package classify says what kind of work a request asks for: a category, a
// tier and a difficulty that ranks within the tier.
//
// Frame lays out the text that a classifier sees, with the prior turn beside
// the message where there is one, and writes the instruction for exactly that
// layout. The Classifier judges the framed text by a model whose weights are in
// the binary: sums over hashed words, pieces of words and concepts, and over plain
// signals (cues in twelve languages, code, logs, notation, lists), then boosted
// trees over those sums. It opens no connection, looks at a bounded part of the text
// however long that is, and gives the same answer for the same text.
//
// A follow-up such as "yes, go ahead" is as hard as the turn that it continues;
// thanks, farewells and changes of topic are not. How likely a message continues
// a turn is judged by trees of its own.
//
// train/ fits the weights, and train/MODEL_CARD.md says from what, and how well
// they do.
package classify
