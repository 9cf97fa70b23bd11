package provider

import "strings"

// A responseEvent is one event of a stream; which members it has depends on its
// type.
type responseEvent struct {
	Type         string        `json:"type"`
	Response     *response     `json:"response,omitempty"`
	ItemID       string        `json:"item_id,omitempty"`
	OutputIndex  *int          `json:"output_index,omitempty"`
	ContentIndex *int          `json:"content_index,omitempty"`
	Item         *responseItem `json:"item,omitempty"`
	Part         *responsePart `json:"part,omitempty"`
	Delta        *string       `json:"delta,omitempty"`
	Text         *string       `json:"text,omitempty"`
	Arguments    *string       `json:"arguments,omitempty"`
}

func (e responseEvent) event() event { return event{name: e.Type, data: mustJSON(e)} }

// responseScript is the stream: the response as it is created, its items piece
// by piece, and the whole of it at the end.
func responseScript(a answer) script {
	begun := responseOf(a, "in_progress", []responseItem{})
	open := []event{
		responseEvent{Type: "response.created", Response: &begun}.event(),
		responseEvent{Type: "response.in_progress", Response: &begun}.event(),
	}
	var middle, end []event
	if len(a.calls) > 0 {
		for i, made := range a.calls {
			middle = append(middle, responseCallEvents(i, made)...)
		}
	} else {
		message := responseTextEvents(a)
		open = append(open, message.open...)
		middle, end = message.middle, message.end
	}
	whole := responseOf(a, "completed", responseOutput(a))
	end = append(end, responseEvent{Type: "response.completed", Response: &whole}.event())
	all := sequence(append(append(append([]event{}, open...), middle...), end...))
	return script{open: all[:len(open)], middle: all[len(open) : len(open)+len(middle)], end: all[len(open)+len(middle):]}
}

func responseTextEvents(a answer) script {
	first := 0
	begun, done := responseMessage(a, "in_progress", ""), responseMessage(a, "completed", a.text)
	empty, whole := begun.Content[0], done.Content[0]
	begun.Content = nil
	at := responseEvent{ItemID: done.ID, OutputIndex: &first, ContentIndex: &first}
	play := script{open: []event{
		responseEvent{Type: "response.output_item.added", OutputIndex: &first, Item: &begun}.event(),
		at.with("response.content_part.added", func(e *responseEvent) { e.Part = &empty }),
	}}
	for _, word := range strings.SplitAfter(a.text, " ") {
		play.middle = append(play.middle, at.with("response.output_text.delta", func(e *responseEvent) { e.Delta = &word }))
	}
	play.end = []event{
		at.with("response.output_text.done", func(e *responseEvent) { e.Text = &a.text }),
		at.with("response.content_part.done", func(e *responseEvent) { e.Part = &whole }),
		responseEvent{Type: "response.output_item.done", OutputIndex: &first, Item: &done}.event(),
	}
	return play
}

// responseCallEvents are the call's name, then its arguments in two halves.
func responseCallEvents(index int, made call) []event {
	begun, done := responseCall(made, "in_progress", ""), responseCall(made, "completed", made.arguments)
	at := responseEvent{ItemID: done.ID, OutputIndex: &index}
	arguments := []rune(made.arguments)
	half := len(arguments) / 2
	delta := func(runes []rune) event {
		text := string(runes)
		return at.with("response.function_call_arguments.delta", func(e *responseEvent) { e.Delta = &text })
	}
	return []event{
		responseEvent{Type: "response.output_item.added", OutputIndex: &index, Item: &begun}.event(),
		delta(arguments[:half]),
		delta(arguments[half:]),
		at.with("response.function_call_arguments.done", func(e *responseEvent) { e.Arguments = &made.arguments }),
		responseEvent{Type: "response.output_item.done", OutputIndex: &index, Item: &done}.event(),
	}
}

// with is an event of a type at the same place.
func (e responseEvent) with(kind string, set func(*responseEvent)) event {
	e.Type = kind
	set(&e)
	return e.event()
}
