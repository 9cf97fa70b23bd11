// Package session tells which session a request belongs to.
//
// Clients that have sessions say so, each in its own header or field; those
// come first. Where nothing is said, the first human turn stands for the
// session: it stays while the conversation grows, unlike system prompts, which
// carry dates and attributions that change.
//
// A [Key] covers the credential, so that nobody can reach what is remembered of
// somebody else's session by naming its id. Values that name a person, such as
// `user` and `safety_identifier`, are no session and are not read.
package session
