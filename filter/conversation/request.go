package conversation

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Request is one body, read. It refers to the body's bytes and must not
// outlive them; it is not changed after Read.
type Request struct {
	// API is the protocol that the body was read as.
	API API
	// Body is what was read, as it came.
	Body []byte
	// Model is the value of `model`; empty where HasModel is false.
	Model string
	// HasModel is false where `model` is missing or not a string.
	HasModel bool
	// Turns are the messages, or items, in order. System text that stands beside
	// them is the first.
	Turns []Turn
	// Needs is what a model must be capable of.
	Needs Capabilities
	// ToolCount is the number of tools that are offered.
	ToolCount int
	// RequestedOutput is the limit in tokens that the client set on the answer;
	// 0 where it set none.
	RequestedOutput int
	// Stream is true where the answer is to arrive as server-sent events.
	Stream bool
	// TurnsParam is the parameter that holds them: messages, or input.
	TurnsParam string
	// HeldState is the parameter that refers to a part of the conversation which
	// the provider holds, such as previous_response_id; empty where the body has
	// all of it.
	HeldState string
	// AnyWindow is true where the size of the prompt does not say whether a model
	// takes it: the provider holds a part of it, or cuts what is too long.
	AnyWindow bool
	// Tokens estimates the whole prompt: turns, system text, tool definitions
	// and answer schema.
	Tokens int

	// Pruned is true where the body asks the provider itself to clear tool results
	// or to compact the conversation.
	Pruned bool

	attached   [Documents + 1]int // how many of each, by capability
	blocks     []Block
	parameters []parameter
	model      Span // the value of `model`; empty where it is missing
	opening    int  // where the body's opening brace stands
}

// parameter is a top-level member of the body.
type parameter struct {
	name  []byte // decoded
	value Span
}

// Blocks returns the blocks of a turn. A tool result is followed by its parts.
func (r *Request) Blocks(t Turn) []Block { return r.blocks[t.first : t.first+t.count] }

// ToolResults counts the tool results of the whole conversation.
func (r *Request) ToolResults() int {
	count := 0
	for i := range r.blocks {
		if r.blocks[i].Kind == ToolResult {
			count++
		}
	}
	return count
}

// Parameter returns the value at a path of object keys, such as "logprobs" or
// "thinking.type", and whether it is there. A string comes decoded, any other
// value as its JSON text. null counts as absent, as the APIs themselves have
// it.
func (r *Request) Parameter(path string) (value string, present bool) {
	name, rest, _ := strings.Cut(path, ".")
	for i := range r.parameters {
		if string(r.parameters[i].name) == name {
			found, present := lookUp(r.parameters[i].value.of(r.Body), rest)
			return string(found), present
		}
	}
	return "", false
}

// MalformedError says why a body cannot be read.
type MalformedError struct {
	// Offset is the byte of the body at which the trouble was seen.
	Offset int
	// Param is the top-level parameter it stands in; empty for the body itself.
	Param string
	// Message says what is wrong, without quoting the body's text.
	Message string
}

// Error says what is wrong and where.
func (e *MalformedError) Error() string {
	return fmt.Sprintf("%s (at byte %d)", e.Message, e.Offset)
}

// tokenLimit reads a limit such as max_tokens. What is no positive number is
// left for the provider to judge and counts as no limit.
func tokenLimit(value string) int {
	number, err := strconv.ParseFloat(value, 64)
	if err != nil || !(number >= 1) {
		return 0
	}
	return int(math.Min(number, math.MaxInt32))
}
