package sdk

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
)

const (
	// keptTool is the tool whose results are never pruned.
	keptTool = "look_up_policy"
	// newest is how many rounds are always kept (keep_last_rounds, by default).
	newest = 3
	// lastSteps is how many requests of a session are made.
	lastSteps = 10
)

// A session is an agent's, of about a megabyte, as its program holds it.
type session struct {
	// Turns are messages, or items.
	Turns []any `json:"turns"`
	// Steps are how many of them each request has, one more round each.
	Steps []int `json:"steps"`
	// More are a request's further parameters.
	More map[string]any `json:"more"`

	param  string   // what the API calls the turns
	tools  []string // the tool of each result, in order
	rounds []int    // how many results each round has
	signed int      // results in front of the last signed thinking
}

type object = map[string]any

// A part of a result is text, or a picture where it is empty.
type part struct {
	text string
	more object
}

// A back is what one call comes to: a text, or parts of one.
type back struct {
	tool  string
	text  string
	parts []part
	fails bool
}

// writer writes what tools come to, the same in every run.
type writer struct{ *rand.Rand }

func newWriter() writer {
	return writer{rand.New(rand.NewPCG(1, 2))}
}

// words has what a JSON library may write in more than one way.
var words = strings.Fields(`lease epoch fence clock skew <b a&b "quoted" C:\path\new Zürich 東京 naïve 😀 1.0 1e400 ` +
	`{"k":[1,2]} /src/lease.go:17 panic: goroutine func return if err != nil`)

// output is of so many words, in lines.
func (w writer) output(count int) string {
	var out strings.Builder
	for i := range count {
		out.WriteString(words[w.IntN(len(words))])
		out.WriteByte(" \n\t "[i%4])
	}
	return out.String()
}

// round is what the calls of a round come to; each kind comes once in ten.
func (w writer) round(number int) []back {
	read := func(words int) back { return back{tool: "read_file", text: w.output(words)} }
	switch number % 10 {
	case 0:
		return []back{read(90)}
	case 2: // parallel calls
		parts := []part{{text: w.output(700)}, {text: w.output(900)}}
		return []back{read(800), {tool: "grep", parts: parts}, {tool: "run", text: w.output(1200), fails: true}}
	case 3:
		return []back{{tool: "screenshot", parts: []part{{text: "What the page looks like:"}, {}}}}
	case 5:
		return []back{{tool: keptTool, text: w.output(500)}}
	case 6:
		more := object{"x_own": object{"n": 1.5, "of": []any{nil, true}}}
		return []back{{tool: "grep", parts: []part{{text: w.output(150), more: more}, {text: w.output(60)}}}}
	case 7:
		return []back{{tool: "run", text: "ok"}}
	default:
		return []back{read(1500 + w.IntN(1500))}
	}
}

// megabyte is a session of an API, written by the functions for what a human
// says and for a round.
func megabyte(param string, human func(string) any, round func(number int, backs []back) []any) session {
	s := session{param: param, Turns: []any{human(hard)}, More: object{}}
	w := newWriter()
	const rounds = 85
	for number := range rounds {
		if number == rounds/2 {
			s.Turns = append(s.Turns, human(greeting))
		}
		backs := w.round(number)
		s.Turns = append(s.Turns, round(number, backs)...)
		s.rounds = append(s.rounds, len(backs))
		for _, b := range backs {
			s.tools = append(s.tools, b.tool)
		}
		if number >= rounds-lastSteps {
			s.Steps = append(s.Steps, len(s.Turns))
		}
	}
	return s
}

// id is that of a call.
func id(round, call int) string { return fmt.Sprintf("call_%d_%d", round, call) }

const says = "Let me look. Schauen wir nach: 見てみましょう。"

// with adds members to an object.
func with(o, more object) object {
	maps.Copy(o, more)
	return o
}

// content is what a call came to as the API has it.
func (b back) content(textType string, picture object) any {
	if b.parts == nil {
		return b.text
	}
	parts := make([]any, len(b.parts))
	for i, p := range b.parts {
		parts[i] = with(object{"type": textType, "text": p.text}, p.more)
		if p.text == "" {
			parts[i] = picture
		}
	}
	return parts
}

var (
	chatPicture = object{"type": "image_url", "image_url": object{"url": dataURL}}
	chatText    = object{"type": "text", "text": strings.Repeat(pixel, 50)}
)

var dataURL = "data:image/png;base64," + strings.Repeat(pixel[:80], 100)

// chatSession is one of Chat Completions, with a part where a tool took a
// picture. OpenAI's own types know only text there, which other providers do not
// mind.
func chatSession(picture object) session {
	human := func(text string) any { return object{"role": "user", "content": text} }
	s := megabyte("messages", human, func(number int, backs []back) []any {
		calls := make([]any, 0, len(backs))
		turns := make([]any, 1, 1+len(backs))
		for i, b := range backs {
			calls = append(calls, object{
				"id": id(number, i), "type": "function",
				"function": object{"name": b.tool, "arguments": `{"path": "/src/lease.go", "limit": 1.0}`},
			})
			turns = append(turns, object{"role": "tool", "tool_call_id": id(number, i), "content": b.content("text", picture), "x_own": number})
		}
		turns[0] = object{"role": "assistant", "content": says, "tool_calls": calls}
		return turns
	})
	s.Turns = append([]any{object{"role": "system", "content": "You are a coding agent."}}, s.Turns...)
	for i := range s.Steps {
		s.Steps[i]++
	}
	s.More["tools"] = []any{object{"type": "function", "function": object{"name": "run", "parameters": object{"type": "object"}}}}
	return s
}

// responsesSession has calls and outputs one after the other where they were
// made one by one, and custom tools.
func responsesSession() session {
	human := func(text string) any { return object{"type": "message", "role": "user", "content": text} }
	s := megabyte("input", human, func(number int, backs []back) []any {
		items := []any{object{"type": "message", "role": "assistant", "content": []any{object{"type": "output_text", "text": says}}}}
		outputs := make([]any, 0, len(backs))
		for i, b := range backs {
			called := object{"type": "function_call", "call_id": id(number, i), "name": b.tool, "arguments": `{"limit": 1.0}`}
			kind := "function_call_output"
			if number%10 == 8 {
				called = object{"type": "custom_tool_call", "call_id": id(number, i), "name": b.tool, "input": "*** Begin <Patch>\n"}
				kind = "custom_tool_call_output"
			}
			items = append(items, called)
			picture := object{"type": "input_image", "image_url": dataURL, "detail": "auto"}
			outputs = append(outputs, object{"type": kind, "call_id": id(number, i), "output": b.content("input_text", picture)})
		}
		return append(items, outputs...)
	})
	s.More["tools"] = []any{object{"type": "function", "name": "run", "parameters": object{"type": "object"}, "strict": false}}
	s.More["instructions"] = "You are a coding agent."
	s.More["store"] = false
	return s
}

// messagesSession is one of Messages. The assistant's thinking is signed in so
// many of the first rounds.
func messagesSession(signed int) session {
	human := func(text string) any {
		return object{"role": "user", "content": []any{object{"type": "text", "text": text}}}
	}
	source := object{"type": "base64", "media_type": "image/png", "data": strings.Repeat(pixel[:80], 100)}
	s := megabyte("messages", human, func(number int, backs []back) []any {
		var said []any
		results := make([]any, 0, len(backs)+1)
		if number < signed {
			said = append(said, object{"type": "thinking", "thinking": "Hm: <b> & 1.0", "signature": "RXJVQ0NrZ0lBeGdDSWtB/+=="})
		}
		said = append(said, object{"type": "text", "text": says})
		for i, b := range backs {
			said = append(said, object{"type": "tool_use", "id": id(number, i), "name": b.tool, "input": object{"limit": 1.5}})
			picture := object{"type": "image", "source": source}
			if number == 13 {
				picture["cache_control"] = object{"type": "ephemeral"}
			}
			result := object{"type": "tool_result", "tool_use_id": id(number, i), "content": b.content("text", picture)}
			if b.fails {
				result["is_error"] = true
			}
			if number == 30 {
				result["cache_control"] = object{"type": "ephemeral", "ttl": "1h"}
			}
			results = append(results, result)
		}
		if number%2 == 0 { // what an agent puts beside, which nobody said
			results = append(results, object{"type": "text", "text": "<system-reminder>\nThe todo list is empty.\n</system-reminder>"})
		}
		return []any{object{"role": "assistant", "content": said}, object{"role": "user", "content": results}}
	})
	for _, results := range s.rounds[:max(signed-1, 0)] {
		s.signed += results
	}
	s.More["system"] = []any{object{"type": "text", "text": "You are a coding agent.", "cache_control": object{"type": "ephemeral"}}}
	s.More["tools"] = []any{object{"name": "run", "input_schema": object{"type": "object"}}}
	s.More["max_tokens"] = 1000
	return s
}
