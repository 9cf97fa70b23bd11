package conversation_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
)

// facts is what can be said of a request in any API, in the plainest terms.
type facts struct {
	Model string
	Tools int
	Turns []turnFacts
}

type turnFacts struct {
	Role                     string
	Own                      []string // texts
	Calls                    []string // id and name
	Results                  []string // ids
	ResultTexts              []string
	Images, Documents, Audio int
}

var roleNames = map[conversation.Role]string{
	conversation.System: "system", conversation.User: "user", conversation.Assistant: "assistant", conversation.Tool: "tool",
}

// read is what our reader says.
func read(t *testing.T, req *conversation.Request) facts {
	t.Helper()
	text := func(s conversation.Span) (text string) {
		if s.Len() > 0 {
			require.NoError(t, json.Unmarshal(req.Body[s.Start:s.End], &text))
		}
		return text
	}
	said := facts{Model: req.Model, Tools: req.ToolCount}
	for _, turn := range req.Turns {
		tf := turnFacts{Role: roleNames[turn.Role]}
		parts := 0
		for _, block := range req.Blocks(turn) {
			parts--
			switch block.Kind {
			case conversation.Text:
				if parts >= 0 {
					tf.ResultTexts = append(tf.ResultTexts, text(block.Text))
				} else {
					tf.Own = append(tf.Own, text(block.Text))
				}
			case conversation.ToolCall:
				tf.Calls = append(tf.Calls, text(block.ID)+" "+text(block.Name))
			case conversation.ToolResult:
				tf.Results = append(tf.Results, text(block.ID))
				parts = block.Parts
			case conversation.Image:
				tf.Images++
			case conversation.Document:
				tf.Documents++
			case conversation.Audio:
				tf.Audio++
			case conversation.Reference, conversation.OtherBlock:
			}
		}
		said.Turns = append(said.Turns, tf)
	}
	return said
}

// expected is what encoding/json says, by the words of the API references. It
// has nothing in common with the reader but those words.
func expected(api conversation.API, body []byte) facts {
	var members map[string]any
	if json.Unmarshal(body, &members) != nil {
		return facts{}
	}
	said := facts{Tools: len(list(members["tools"]))}
	said.Model, _ = members["model"].(string)
	turns := "messages"
	system := "system"
	if api == conversation.OpenAIResponses {
		turns, system = "input", "instructions"
	}
	if api == conversation.OpenAIChat {
		said.Tools += len(list(members["functions"]))
	} else if members[system] != nil {
		tf := turnFacts{Role: "system"}
		tf.content(members[system], false)
		said.Turns = append(said.Turns, tf)
	}
	if text, ok := members[turns].(string); ok {
		said.Turns = append(said.Turns, turnFacts{Role: "user", Own: []string{text}})
	}
	for _, message := range list(members[turns]) {
		message, _ := message.(map[string]any)
		if api == conversation.OpenAIResponses {
			said.Turns = append(said.Turns, expectedItem(message))
		} else {
			said.Turns = append(said.Turns, expectedMessage(message))
		}
	}
	return said
}

func list(value any) []any {
	elements, _ := value.([]any)
	return elements
}

func word(object map[string]any, key string) string {
	text, _ := object[key].(string)
	return text
}

func expectedRole(message map[string]any) string {
	return map[string]string{
		"system": "system", "developer": "system", "user": "user", "assistant": "assistant", "tool": "tool", "function": "tool",
	}[word(message, "role")]
}

func expectedMessage(message map[string]any) turnFacts {
	tf := turnFacts{Role: expectedRole(message)}
	if tf.Role == "tool" {
		tf.Results = []string{word(message, "tool_call_id")}
	}
	tf.content(message["content"], tf.Role == "tool")
	for _, call := range list(message["tool_calls"]) {
		if call, ok := call.(map[string]any); ok {
			tf.call(call)
		}
	}
	if call, ok := message["function_call"].(map[string]any); ok {
		tf.call(call)
	}
	blocks, _ := message["content"].([]any)
	isResult := func(block any) bool {
		object, _ := block.(map[string]any)
		return word(object, "type") == "tool_result"
	}
	if tf.Role == "user" && len(blocks) > 0 && len(tf.Calls) == 0 && !slices.ContainsFunc(blocks, func(b any) bool { return !isResult(b) }) {
		tf.Role = "tool"
	}
	return tf
}

func (tf *turnFacts) call(call map[string]any) {
	name := word(call, "name")
	for _, inside := range []string{"function", "custom"} {
		if function, ok := call[inside].(map[string]any); ok && word(function, "name") != "" {
			name = word(function, "name")
		}
	}
	tf.Calls = append(tf.Calls, word(call, "id")+" "+name)
}

func expectedItem(item map[string]any) turnFacts {
	kind := word(item, "type")
	_, hasRole := item["role"]
	_, hasContent := item["content"]
	switch {
	case kind == "message", kind == "" && (hasRole || hasContent):
		tf := turnFacts{Role: expectedRole(item)}
		tf.content(item["content"], false)
		return tf
	case kind == "function_call", kind == "custom_tool_call":
		return turnFacts{Role: "assistant", Calls: []string{word(item, "call_id") + " " + word(item, "name")}}
	case kind == "function_call_output", kind == "custom_tool_call_output":
		tf := turnFacts{Role: "tool", Results: []string{word(item, "call_id")}}
		tf.content(item["output"], true)
		return tf
	case kind == "reasoning", strings.HasSuffix(kind, "_call"):
		return turnFacts{Role: "assistant"}
	case strings.HasSuffix(kind, "_output"):
		return turnFacts{Role: "tool"}
	default:
		return turnFacts{}
	}
}

func (tf *turnFacts) content(content any, inResult bool) {
	switch content := content.(type) {
	case string:
		tf.text(content, inResult)
	case []any:
		for _, block := range content {
			tf.block(block, inResult)
		}
	default:
		tf.block(content, inResult)
	}
}

func (tf *turnFacts) text(text string, inResult bool) {
	if inResult {
		tf.ResultTexts = append(tf.ResultTexts, text)
	} else {
		tf.Own = append(tf.Own, text)
	}
}

func (tf *turnFacts) block(block any, inResult bool) {
	if text, ok := block.(string); ok {
		tf.text(text, inResult)
	}
	object, _ := block.(map[string]any)
	switch word(object, "type") {
	case "text", "input_text", "output_text":
		tf.text(word(object, "text"), inResult)
	case "refusal":
		tf.text(word(object, "refusal"), inResult)
	case "image", "image_url", "input_image":
		tf.Images++
	case "document", "file", "input_file":
		tf.Documents++
	case "input_audio":
		tf.Audio++
	case "tool_use":
		tf.Calls = append(tf.Calls, word(object, "id")+" "+word(object, "name"))
	case "tool_result":
		if !inResult {
			tf.Results = append(tf.Results, word(object, "tool_use_id"))
			tf.content(object["content"], true)
		}
	}
}
