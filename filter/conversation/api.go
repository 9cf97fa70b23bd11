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
