package selection

import (
	"math"
	"strings"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
)

// Work is what selection needs to know of a request.
type Work struct {
	API conversation.API
	// Tier is the classified one, before a virtual model's bounds. A pinned
	// model has none.
	Tier decision.Tier
	// PromptTokens estimates the request as it goes out: pruned, with system
	// text and tools, and not below a context hint.
	PromptTokens int
	Needs        conversation.Capabilities
	// HeldState is the parameter that refers to a part of the conversation which
	// only a provider on a cluster with holds_state has; empty where none does.
	HeldState string
	// AnyWindow is true where PromptTokens does not say whether a model takes the
	// request.
	AnyWindow bool
	// RequestedOutput is the client's own limit on the answer, in tokens; 0
	// where it names none.
	RequestedOutput int
	// Parameter looks up a path of the body, such as "logprobs" or
	// "thinking.type". A string comes decoded, any other value as its JSON text.
	Parameter func(path string) (value string, present bool)
}

// demand is what one request asks of every candidate.
type demand struct {
	api      conversation.API
	needs    conversation.Capabilities
	held     string // the parameter that refers to held state; empty: none
	family   string // that must read the sealed reasoning; empty: any
	tools    bool   // weak tool users are out
	rejected []bool // by rule: whether the body has what it names

	anyWindow bool // windows are not judged

	prompt   int64 // tokens
	asked    int64 // tokens of answer; 0: not named
	answer   int64 // tokens kept for the answer
	needed   int64 // tokens that a window must have
	expected int64 // tokens of answer that the cost reckons with
}

// judged are the needs that a catalogue entry states as capabilities. Sealed
// reasoning is a matter of family, held state one of the cluster.
const judged = conversation.Tools | conversation.Vision | conversation.Documents | conversation.JSONSchema

func (c *Catalogue) demand(t Target, work Work) demand {
	d := demand{
		api:       work.API,
		needs:     work.Needs & judged,
		held:      work.HeldState,
		anyWindow: work.AnyWindow,
		rejected:  c.rejected(work),
		// The decision counts tokens in 32 bits.
		prompt:   int64(min(max(work.PromptTokens, 0), math.MaxInt32)),
		asked:    int64(min(max(work.RequestedOutput, 0), math.MaxInt32)),
		answer:   c.reservedOutput,
		expected: c.expectedOutput,
	}
	if d.asked > 0 {
		d.answer = d.asked
		d.expected = min(d.expected, d.asked)
	}
	d.needed = d.prompt + c.margin(d.prompt) + d.answer
	if t.Virtual != nil {
		// Both steer the choice among candidates. Who pins a model has made it:
		// the reasoning that such a session carries is that model's own.
		d.tools = work.Needs.Has(conversation.Tools)
		if work.Needs.Has(conversation.Sealed) {
			d.family = c.families[string(work.API)]
		}
	}
	return d
}

// margin is selection.window_margin of a prompt, rounded up. It is reckoned in
// whole millionths: in floating point, 100 tokens with a margin of 0.1 would
// need 111.
func (c *Catalogue) margin(prompt int64) int64 {
	return (prompt*c.marginMillionths + 999_999) / 1_000_000
}

// largestPrompt is the most tokens of prompt that fit into a window beside an
// answer.
func (c *Catalogue) largestPrompt(window, answer int64) int64 {
	return max(window-answer, 0) * 1_000_000 / (1_000_000 + c.marginMillionths)
}

// rejected looks up every rule of the catalogue once.
func (c *Catalogue) rejected(work Work) []bool {
	if len(c.rules) == 0 || work.Parameter == nil {
		return nil
	}
	rejected := make([]bool, len(c.rules))
	for i, r := range c.rules {
		value, present := work.Parameter(r.path)
		rejected[i] = present && (r.anyValue || value == r.value)
	}
	return rejected
}

// rule is one entry of `rejects`: a path, and the value at it where only that
// one is rejected.
type rule struct {
	text     string
	path     string
	value    string
	anyValue bool
}

func parseRule(text string) rule {
	path, value, named := strings.Cut(text, "=")
	return rule{text: "rejects " + text, path: path, value: value, anyValue: !named}
}
