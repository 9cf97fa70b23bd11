// Package replay sends recorded sessions through the pipeline and says what
// pruning would have saved on them: in tokens, in the cost of the input side
// where providers cache prefixes, and at what risk, against simpler policies and
// against no pruning.
//
// A session is one line of JSON. Each of its model calls, which is a maximal run
// of assistant turns, is one request: the messages before it. Policies go through
// a session's requests side by side, each with its own view of what the
// provider's cache holds, and sessions are spread over the machine's cores.
//
// The package also holds pruning to its promises while it runs, by taking apart
// what came and what went out without the help of the packages that it checks.
package replay
