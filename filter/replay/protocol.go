package replay

import (
	"fmt"
	"slices"

	"github.com/pointsman/pointsman/filter/conversation"
)

// paths are where the requests of an API are sent.
var paths = map[conversation.API]string{
	conversation.OpenAIChat:        "/v1/chat/completions",
	conversation.OpenAIResponses:   "/v1/responses",
	conversation.AnthropicMessages: "/v1/messages",
}

// turnsOfResponses is what Responses calls the conversation; the other APIs call
// it messages.
const turnsOfResponses = "input"

// protocol is the API that a session speaks: the one that it names, or else the
// one whose shape it has.
func (r *recorded) protocol(raws [][]byte) (conversation.API, error) {
	if r.api == "" {
		return r.shape(raws)
	}
	if _, known := paths[conversation.API(r.api)]; !known {
		return "", fmt.Errorf("api: must be %s, %s or %s (is %.40q)",
			conversation.OpenAIChat, conversation.OpenAIResponses, conversation.AnthropicMessages, r.api)
	}
	api := conversation.API(r.api)
	if api == conversation.OpenAIResponses {
		r.turnsName = turnsOfResponses
	}
	return api, nil
}

// shape tells the API by what only one of them has: Responses has items that are
// no messages, Messages has system text beside them and tool calls among the
// blocks.
func (r *recorded) shape(raws [][]byte) (conversation.API, error) {
	if r.turnsName == turnsOfResponses {
		return conversation.OpenAIResponses, nil
	}
	if r.hasSystem {
		return conversation.AnthropicMessages, nil
	}
	for _, raw := range raws {
		top, err := outlineOf(raw)
		switch {
		case err != nil:
			return "", err
		case top.role == "tool" || top.calls:
			return conversation.OpenAIChat, nil
		case top.kind != "" && top.kind != "message":
			r.turnsName = turnsOfResponses
			return conversation.OpenAIResponses, nil
		}
		if has, err := hasToolBlocks(raw, top.content); err != nil || has {
			return conversation.AnthropicMessages, err
		}
	}
	return conversation.OpenAIChat, nil
}

func hasToolBlocks(raw []byte, content span) (bool, error) {
	if content == (span{}) {
		return false, nil
	}
	has := false
	kinds := []string{"tool_use", "tool_result", "thinking", "redacted_thinking"}
	err := eachElement(content.of(raw), func(at span) error {
		block, err := outlineOf(at.plus(content.start).of(raw))
		has = has || slices.Contains(kinds, block.kind)
		return err
	})
	return has, err
}
