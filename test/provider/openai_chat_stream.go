package provider

import "strings"

// chatScript is the stream of chunks: the role, the content word by word or
// the tool calls, the reason for the end, the usage if it was asked for, and
// the terminator.
func chatScript(a answer) script {
	empty := ""
	play := script{
		open:   []event{chatChunk(a, chatChoice{Delta: &chatDelta{Role: "assistant", Content: &empty}})},
		middle: chatContent(a),
		end:    []event{chatChunk(a, chatChoice{Delta: &chatDelta{}, FinishReason: chatFinish(a)})},
	}
	if a.ask.streamUsage {
		play.end = append(play.end, chatUsageChunk(a))
	}
	play.end = append(play.end, event{data: "[DONE]"})
	return play
}

func chatContent(a answer) []event {
	var events []event
	for i, made := range a.calls {
		events = append(events, chatCallChunks(a, i, made)...)
	}
	if len(a.calls) > 0 {
		return events
	}
	for _, word := range strings.SplitAfter(a.text, " ") {
		events = append(events, chatChunk(a, chatChoice{Delta: &chatDelta{Content: &word}}))
	}
	return events
}

// chatCallChunks are the call's name, then its arguments in two halves.
func chatCallChunks(a answer, index int, made call) []event {
	first := chatCallOf(call{id: made.id, name: made.name})
	first.Index = &index
	arguments := []rune(made.arguments)
	half := len(arguments) / 2
	piece := func(runes []rune) chatCall {
		return chatCall{Index: &index, Function: chatFunction{Arguments: string(runes)}}
	}
	return []event{chatCallChunk(a, first), chatCallChunk(a, piece(arguments[:half])), chatCallChunk(a, piece(arguments[half:]))}
}

func chatCallChunk(a answer, piece chatCall) event {
	return chatChunk(a, chatChoice{Delta: &chatDelta{ToolCalls: []chatCall{piece}}})
}

// A chunk says "usage": null where a later one will carry it.
type chatChunkWithUsage struct {
	chatResponse

	Usage *chatUsage `json:"usage"`
}

func chatChunk(a answer, choice chatChoice) event {
	response := chatResponseOf(a, "chat.completion.chunk", choice)
	if a.ask.streamUsage {
		return event{data: mustJSON(chatChunkWithUsage{chatResponse: response})}
	}
	return event{data: mustJSON(response)}
}

func chatUsageChunk(a answer) event {
	response := chatResponseOf(a, "chat.completion.chunk")
	response.Choices = []chatChoice{}
	return event{data: mustJSON(chatChunkWithUsage{chatResponse: response, Usage: chatUsageOf(a.usage)})}
}
