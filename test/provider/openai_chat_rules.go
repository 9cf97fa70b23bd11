package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// checkChat holds a conversation to what OpenAI's API refuses otherwise: who may
// speak, and that calls and results belong together.
func checkChat(messages []chatMessage) error {
	if len(messages) == 0 {
		return errors.New("messages: at least one is needed")
	}
	roles := []string{"system", "developer", "user", "assistant", "tool", "function"}
	for i, message := range messages {
		if !slices.Contains(roles, message.Role) {
			return fmt.Errorf("messages[%d]: role %q is none of %q", i, message.Role, roles)
		}
		if message.Role != "tool" {
			continue
		}
		if err := checkContent(message.Content, "text", "image_url", "input_audio", "file"); err != nil {
			return fmt.Errorf("messages[%d]: %w", i, err)
		}
	}
	return pairedCalls(messages)
}

// checkContent holds what a tool came to, which is a string or a list of parts,
// to the parts that the API has.
func checkContent(content json.RawMessage, types ...string) error {
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if len(content) > 0 && content[0] == '"' {
		return nil
	}
	if json.Unmarshal(content, &parts) != nil || parts == nil {
		return errors.New("content: a string or an array of parts is needed")
	}
	for i, part := range parts {
		if !slices.Contains(types, part.Type) {
			return fmt.Errorf("content[%d]: type %q is none of %q", i, part.Type, types)
		}
		if part.Type == types[0] && part.Text == nil {
			return fmt.Errorf("content[%d]: a text is needed", i)
		}
	}
	return nil
}

// pairedCalls holds a conversation to the provider's rule that every tool call
// is answered by the tool messages right after it, and by nothing else.
func pairedCalls(messages []chatMessage) error {
	open := map[string]bool{}
	for i, message := range messages {
		if message.Role == "tool" {
			if !open[message.ToolCallID] {
				return fmt.Errorf("messages[%d]: no call with tool_call_id %q waits for a result", i, message.ToolCallID)
			}
			delete(open, message.ToolCallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("messages[%d]: %d tool calls before it have no result", i, len(open))
		}
		for _, made := range message.ToolCalls {
			if made.ID == "" || open[made.ID] {
				return fmt.Errorf("messages[%d]: a tool call needs an id of its own, not %q", i, made.ID)
			}
			open[made.ID] = true
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("messages: the last %d tool calls have no result", len(open))
	}
	return nil
}
