// Command demo plays a coding agent's session through a real Envoy and a real
// pointsman, with stand-ins for the model providers, and prints what was
// decided, why, and what it cost.
//
// Everything runs on free ports of 127.0.0.1 from one configuration, the one in
// deploy/pointsman.yaml with the addresses replaced, and with every model
// speaking every API. The session is played over each API that pointsman reads,
// by the provider's own Go library. What a row of the table says about a decision is read from the
// decision log, which pointsman writes from Envoy's access log; what the
// upstream received is read from the stand-ins' records, and compared with what
// the client sent. Read story.go first.
package main
