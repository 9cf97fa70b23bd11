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
}

// Endpoints lists the endpoints of the APIs that Read reads.
func Endpoints() []Endpoint {
	return []Endpoint{
		{"/v1/chat/completions", OpenAIChat},
	}
}
