package provider

import "fmt"

// checkItems holds the items of a conversation to what OpenAI's API refuses
// otherwise. Where a part of it is held, calls and outputs may be there.
func checkItems(items []responsesItem, held bool) error {
	ids := map[string]bool{}
	for i, item := range items {
		if item.ID != "" && ids[item.ID] {
			return fmt.Errorf("input[%d]: duplicate item found with id %q", i, item.ID)
		}
		ids[item.ID] = true
		if !isOutput(item) {
			continue
		}
		if err := checkContent(item.Output, "input_text", "input_image", "input_file"); err != nil {
			return fmt.Errorf("input[%d].output: %w", i, err)
		}
	}
	if held {
		return nil
	}
	return pairedItems(items)
}

func isOutput(item responsesItem) bool {
	return item.Type == "function_call_output" || item.Type == "custom_tool_call_output"
}

// pairedItems holds a conversation to the provider's rule that every call has
// its output, somewhere behind it, and every output its call.
func pairedItems(items []responsesItem) error {
	open := map[string]bool{}
	for i, item := range items {
		switch {
		case item.Type == "function_call" || item.Type == "custom_tool_call":
			if item.CallID == "" || open[item.CallID] {
				return fmt.Errorf("input[%d]: a tool call needs a call_id of its own, not %q", i, item.CallID)
			}
			open[item.CallID] = true
		case isOutput(item):
			if !open[item.CallID] {
				return fmt.Errorf("input[%d]: no call with call_id %q waits for an output", i, item.CallID)
			}
			delete(open, item.CallID)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("input: %d tool calls have no output", len(open))
	}
	return nil
}
