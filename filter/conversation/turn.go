package conversation

// Role says who speaks in a turn.
type Role uint8

// The roles. OtherRole is one that this version does not know; such a turn is
// carried and counted, and its text is never taken for a human's.
const (
	OtherRole Role = iota
	System         // system and developer text
	User
	Assistant
	Tool // a turn that holds nothing but tool results
)

// Turn is one message, or one item, of a conversation.
type Turn struct {
	Role Role
	// Span is the whole message.
	Span Span
	// Tokens estimates all of it.
	Tokens int
	// Calls and Results count its tool calls and tool results.
	Calls, Results int
	// Signed is true where it holds thinking that is signed, or redacted, by the
	// model that wrote it (Messages).
	Signed bool

	first, count int  // its blocks in Request.blocks
	speaks       bool // it has text of its own
}

// Human reports whether a person speaks in it: it is the user's and has text of
// its own.
func (t Turn) Human() bool { return t.Role == User && t.speaks }

// Kind says what a block is.
type Kind uint8

// The kinds. OtherBlock is one that this version does not know.
const (
	OtherBlock Kind = iota
	Text
	Image
	Document
	Audio
	ToolCall
	ToolResult
	// Reference is a part of a tool result that loads a tool.
	Reference
)

// Block is a piece of a turn.
type Block struct {
	Kind Kind
	// IsError is true on a tool result that says it is an error (Messages).
	IsError bool
	// Span is the block's JSON value. Of content that is a plain string it is
	// the string; of a tool result what the tool came to, a string or an array of
	// parts, and empty where that is missing.
	Span Span
	// Text is the string that holds the block's text, its quotes included;
	// empty where it has none.
	Text Span
	// ID is the string that pairs a call with its result; empty elsewhere.
	ID Span
	// Name is the string with the called tool's name, on calls.
	Name Span
	// Tokens estimates the block; of a tool result, its parts together.
	Tokens int
	// Chars is the number of characters of its text; of a tool result, of its
	// parts together.
	Chars int
	// Parts is the number of blocks after this one that are parts of it; only
	// tool results have any.
	Parts int
	// Marker is the value by which the client marks that the prompt cache is to
	// end here; empty where there is none.
	Marker Span
}
