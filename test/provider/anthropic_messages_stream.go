package provider

import (
	"encoding/json"
	"strings"
)

// A messageEvent is one event of a stream; which members it has depends on its
// type.
type messageEvent struct {
	Type         string           `json:"type"`
	Message      *messageResponse `json:"message,omitempty"`
	Index        *int             `json:"index,omitempty"`
	ContentBlock *messageBlock    `json:"content_block,omitempty"`
	Delta        any              `json:"delta,omitempty"`
	Usage        *messageUsage    `json:"usage,omitempty"`
}

func (e messageEvent) event() event { return event{name: e.Type, data: mustJSON(e)} }

type textDelta struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type inputDelta struct {
	Type        string `json:"type"`
	PartialJSON string `json:"partial_json"`
}

type stopDelta struct {
	StopReason   *string `json:"stop_reason"`
	StopSequence *string `json:"stop_sequence"`
}

// messageScript is the stream: the message with the prompt's usage, its blocks
// piece by piece, the reason for the end with the answer's usage, and the end.
func messageScript(a answer) script {
	begun := messageOf(a)
	begun.Usage.OutputTokens = 1
	usage := messageUsageOf(a)
	play := script{
		open: []event{messageEvent{Type: "message_start", Message: &begun}.event(), messageEvent{Type: "ping"}.event()},
		end: []event{
			messageEvent{Type: "message_delta", Delta: stopDelta{StopReason: messageStop(a)}, Usage: &usage}.event(),
			messageEvent{Type: "message_stop"}.event(),
		},
	}
	for i, made := range a.calls {
		play.middle = append(play.middle, messageCallEvents(i, made)...)
	}
	if len(a.calls) > 0 {
		return play
	}
	first, empty := 0, ""
	block := messageBlock{Type: "text", Text: &empty}
	play.open = append(play.open, messageEvent{Type: "content_block_start", Index: &first, ContentBlock: &block}.event())
	for _, word := range strings.SplitAfter(a.text, " ") {
		play.middle = append(play.middle, blockDelta(first, textDelta{"text_delta", word}))
	}
	play.end = append([]event{messageEvent{Type: "content_block_stop", Index: &first}.event()}, play.end...)
	return play
}

// messageCallEvents are the call's name, then its arguments in two halves.
func messageCallEvents(index int, made call) []event {
	block := messageBlock{Type: "tool_use", ID: made.id, Name: made.name, Input: json.RawMessage("{}")}
	arguments := []rune(made.arguments)
	half := len(arguments) / 2
	return []event{
		messageEvent{Type: "content_block_start", Index: &index, ContentBlock: &block}.event(),
		blockDelta(index, inputDelta{"input_json_delta", string(arguments[:half])}),
		blockDelta(index, inputDelta{"input_json_delta", string(arguments[half:])}),
		messageEvent{Type: "content_block_stop", Index: &index}.event(),
	}
}

func blockDelta(index int, delta any) event {
	return messageEvent{Type: "content_block_delta", Index: &index, Delta: delta}.event()
}
