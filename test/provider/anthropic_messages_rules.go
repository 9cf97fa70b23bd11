package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// cacheBreakpoints is how many cache_control a request may have.
const cacheBreakpoints = 4

// breakpoint is one of them. Inside of a text its quotes would be escaped.
var breakpoint = regexp.MustCompile(`"cache_control"\s*:\s*\{`)

// useID is what Anthropic's API takes for the id of a tool use.
var useID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// checkMessages holds a conversation to what Anthropic's API refuses otherwise.
func checkMessages(messages []messagesTurn, body []byte) error {
	if len(messages) == 0 {
		return errors.New("messages: at least one message is required")
	}
	if messages[0].Role != "user" {
		return errors.New("messages: the first message must use the user role")
	}
	if marks := len(breakpoint.FindAll(body, -1)); marks > cacheBreakpoints {
		return fmt.Errorf("a maximum of %d blocks with cache_control may be provided, found %d", cacheBreakpoints, marks)
	}
	for i, message := range messages {
		last := i == len(messages)-1
		if err := message.check(last); err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
	}
	return pairedUses(messages)
}

// check holds a message to what goes for it alone. Only what the assistant is
// to go on with may be empty.
func (t messagesTurn) check(last bool) error {
	if t.Role != "user" && t.Role != "assistant" {
		return fmt.Errorf("unexpected role %q: it is user or assistant", t.Role)
	}
	blocks := t.blocks()
	if len(blocks) == 0 && chatText(t.Content) == "" && (!last || t.Role != "assistant") {
		return errors.New("all messages must have non-empty content")
	}
	if err := nonEmpty(blocks); err != nil {
		return err
	}
	others := false
	for i, block := range blocks {
		if block.Type != "tool_result" {
			others = true
			continue
		}
		if others {
			return fmt.Errorf("content.%d: tool_result blocks come before all others", i)
		}
		if err := block.checkResult(); err != nil {
			return fmt.Errorf("content.%d: %w", i, err)
		}
	}
	return nil
}

func nonEmpty(blocks []messagesBlock) error {
	for i, block := range blocks {
		if block.Type == "text" && block.Text == "" {
			return fmt.Errorf("content.%d: text content blocks must be non-empty", i)
		}
	}
	return nil
}

// checkResult holds a tool result to the content that one may have: none, a
// string, or blocks.
func (b messagesBlock) checkResult() error {
	if len(b.Content) == 0 || b.Content[0] == '"' {
		return nil
	}
	var parts []messagesBlock
	if json.Unmarshal(b.Content, &parts) != nil || parts == nil {
		return errors.New("tool_result.content: a string or an array of blocks is needed")
	}
	types := []string{"text", "image", "document", "search_result", "tool_reference"}
	for i, part := range parts {
		if !slices.Contains(types, part.Type) {
			return fmt.Errorf("tool_result.content.%d: type %q is none of %q", i, part.Type, types)
		}
		if b.IsError && part.Type != "text" {
			return errors.New("all content must be type text if is_error is true")
		}
	}
	if err := nonEmpty(parts); err != nil {
		return fmt.Errorf("tool_result.%w", err)
	}
	return nil
}

// pairedUses holds a conversation to the provider's rule that every tool use is
// answered in the message right after it, and nothing else is.
func pairedUses(messages []messagesTurn) error {
	var open []string
	ever := map[string]bool{}
	for i, message := range messages {
		var used []string
		for _, block := range message.blocks() {
			switch block.Type {
			case "tool_use":
				if !useID.MatchString(block.ID) || ever[block.ID] {
					return fmt.Errorf("messages.%d: tool_use ids must be unique and match %s, not %q", i, useID, block.ID)
				}
				ever[block.ID] = true
				used = append(used, block.ID)
			case "tool_result":
				at := slices.Index(open, block.ToolUseID)
				if at < 0 {
					return fmt.Errorf("messages.%d: unexpected tool_use_id %q found in tool_result blocks", i, block.ToolUseID)
				}
				open = slices.Delete(open, at, at+1)
			}
		}
		if len(open) > 0 {
			return fmt.Errorf("messages.%d: %d tool_use ids were found without tool_result blocks", i, len(open))
		}
		open = used
	}
	if len(open) > 0 {
		return fmt.Errorf("messages: the last %d tool_use blocks have no tool_result", len(open))
	}
	return nil
}
