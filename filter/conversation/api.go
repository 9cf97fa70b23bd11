package conversation

// API names the protocol that a request speaks. The value is the one that
// configuration and records use.
type API string

// The APIs of the catalogue. Read says which of them it reads.
const (
	OpenAIChat        API = "openai_chat_completions"
	OpenAIResponses   API = "openai_responses"
	AnthropicMessages API = "anthropic_messages"
)

// Endpoint is a kind of path that requests of an API are sent to.
type Endpoint struct {
	// Path is how the path ends; whatever stands before it, such as /openai,
	// does not matter.
	Path string
	API  API
	Task Task
}

// Task is what is asked for at an endpoint.
type Task uint8

// The tasks.
const (
	// Answer is the conversation's next turn.
	Answer Task = iota
	// CountTokens is how long the prompt is. It is no turn of a session, and no
	// prompt is too long for it.
	CountTokens
	// Compact is the conversation in short, sealed.
	Compact
)

// Endpoints lists the endpoints of the APIs that Read reads. None of their paths
// ends like another.
func Endpoints() []Endpoint {
	return []Endpoint{
		{"/v1/chat/completions", OpenAIChat, Answer},
		{"/v1/responses", OpenAIResponses, Answer},
		{"/v1/responses/compact", OpenAIResponses, Compact},
		{"/v1/messages", AnthropicMessages, Answer},
		{"/v1/messages/count_tokens", AnthropicMessages, CountTokens},
	}
}
