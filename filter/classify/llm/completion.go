package llm

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pointsman/pointsman/filter/decision"
)

// completion is the body of a question, in OpenAI's Chat Completions.
type completion struct {
	Model          string         `json:"model"`
	Messages       []message      `json:"messages"`
	Temperature    *float64       `json:"temperature,omitzero"`
	ResponseFormat jsontext.Value `json:"response_format,omitzero"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// plainBody has nothing that a server could refuse. The text stands in a message
// of its own: nothing in it can end that message.
func plainBody(model string, q question) completion {
	return completion{
		Model:    model,
		Messages: []message{{"system", q.instruction}, {"user", q.text}},
	}
}

// body also asks for an answer that is the same each time, and for JSON by a
// schema. Some models take no temperature, some servers no schema.
func body(model string, q question) completion {
	full := plainBody(model, q)
	full.Temperature = new(float64)
	full.ResponseFormat = responseFormat
	return full
}

// responseFormat is strict: the server itself lets the model say nothing else.
// The difficulty's bounds are left out, since not every server takes them.
var responseFormat = jsontext.Value(`{"type":"json_schema","json_schema":{"name":"classification","strict":true,"schema":{` +
	`"type":"object","properties":{` +
	`"category":{"type":"string","enum":` + quoted(decision.Categories()) + `},` +
	`"tier":{"type":"string","enum":` + quoted(tiers()) + `},` +
	`"difficulty":{"type":"number"}},` +
	`"required":["category","tier","difficulty"],"additionalProperties":false}}}`)

func tiers() []string {
	var names []string
	for tier := decision.Simple; tier <= decision.Reasoning; tier++ {
		names = append(names, tier.String())
	}
	return names
}

// quoted is a JSON list of words that need no escapes.
func quoted[T ~string](words []T) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = `"` + string(word) + `"`
	}
	return "[" + strings.Join(list, ",") + "]"
}

// readReply reads what the model says out of a server's answer.
func readReply(reply []byte) (answer, error) {
	var read struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	// What else there is of an answer, and how, is the server's business.
	lenient := json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := json.Unmarshal(reply, &read, lenient); err != nil || len(read.Choices) == 0 {
		return answer{}, unused(Unreadable)
	}
	said, ok := readAnswer(read.Choices[0].Message.Content)
	if !ok {
		return answer{}, unused(Unreadable)
	}
	return said, nil
}
