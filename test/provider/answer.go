package provider

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// bytesPerToken turns bytes into tokens, the usual rule of thumb for English
// text and JSON.
const bytesPerToken = 4

// quoted is how many characters of a message an answer repeats.
const quoted = 120

func tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// reply is a text that shows which model answered and to what.
func reply(asked ask) string {
	if asked.toolResult != "" {
		return fmt.Sprintf("%s has read %d bytes from the tool, beginning with %q.",
			asked.model, len(asked.toolResult), beginning(asked.toolResult))
	}
	words := len(strings.Fields(asked.text))
	if strings.HasSuffix(strings.TrimSpace(asked.text), "?") {
		return fmt.Sprintf("%s was asked %q and would answer these %d words here.", asked.model, beginning(asked.text), words)
	}
	return fmt.Sprintf("%s was told %q and would act on these %d words here.", asked.model, beginning(asked.text), words)
}

// beginning is the first line of a text, cut at a character's boundary.
func beginning(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(line)
	if len(runes) <= quoted {
		return line
	}
	return string(runes[:quoted]) + "…"
}

// toolCalls finds the offered tools that a user's message names as a word.
func toolCalls(asked ask, id string) []call {
	var calls []call
	for _, tool := range asked.tools {
		if named := wordAt(asked.text, tool); named >= 0 {
			after := asked.text[named+len(tool):]
			calls = append(calls, call{id: fmt.Sprintf("call-%s-%d", id, len(calls)), name: tool, arguments: arguments(after)})
		}
	}
	return calls
}

// wordAt is where a tool's name stands alone in a text, or -1.
func wordAt(text, name string) int {
	alone := regexp.MustCompile(`(?:^|[^\w-])(` + regexp.QuoteMeta(name) + `)(?:[^\w-]|$)`)
	found := alone.FindStringSubmatchIndex(text)
	if found == nil {
		return -1
	}
	return found[2]
}

// arguments is the JSON object at the beginning of a text, or the empty one.
func arguments(text string) string {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return "{}"
	}
	var object json.RawMessage
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&object); err != nil {
		return "{}"
	}
	return string(object)
}
