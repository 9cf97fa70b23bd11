package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// body is a coding agent's request of about a size in bytes, the same on every
// run: system text, tools, a task, and rounds of a tool call and its result
// until the size is reached.
func body(size int) []byte {
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same on every run is what is wanted
	request := request{
		Model: "auto", MaxCompletionTokens: 8000,
		Messages: []message{{Role: "system", Content: systemText}, {Role: "user", Content: task}},
		Tools:    tools(),
	}
	room := size - len(encode(request))
	for round := 0; room > 0; round++ {
		call, result := toolRound(r, round)
		room -= len(encode(call))
		result.Content = fitting(result.Content, room)
		room -= len(encode(result))
		request.Messages = append(request.Messages, call, result)
	}
	return encode(request)
}

// fitting is as much of a text as there is room for.
func fitting(text string, room int) string {
	for len(encode(text)) > max(room, 100) {
		text = text[:len(text)*15/16]
	}
	return strings.ToValidUTF8(text, "")
}

type request struct {
	Model               string    `json:"model"`
	Stream              bool      `json:"stream"`
	MaxCompletionTokens int       `json:"max_completion_tokens"`
	Messages            []message `json:"messages"`
	Tools               []tool    `json:"tools"`
}

type message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCalls  []tool `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
}

// tool is a tool that is offered, or a call of one.
type tool struct {
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Arguments   string          `json:"arguments,omitempty"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

const systemText = "You are a coding agent. Work in small steps, read before you write, run the tests after every change, " +
	"and say what you did in two sentences at most."

const task = "The nightly build fails on arm64 with \"undefined: unix.Dup2\" since we moved to the new toolchain. " +
	"Find out why, fix it for all platforms, and add a test that would have caught it."

const parameters = `{"type":"object","properties":{"path":{"type":"string"},"lines":{"type":"integer"}},"required":["path"]}`

var toolNames = [...]string{"shell", "read_file", "edit_file"}

func tools() []tool {
	all := make([]tool, len(toolNames))
	for i, name := range toolNames {
		all[i] = tool{Type: "function", Function: function{
			Name: name, Description: "Returns the output of " + name + ".", Parameters: json.RawMessage(parameters),
		}}
	}
	return all
}

// toolRound is a call and its result.
func toolRound(r *rand.Rand, round int) (call, result message) {
	id := fmt.Sprintf("call_%08x", r.Uint32())
	call = message{Role: "assistant", Content: "I look at the next file.", ToolCalls: []tool{{
		ID: id, Type: "function",
		Function: function{
			Name:      toolNames[round%len(toolNames)],
			Arguments: fmt.Sprintf(`{"path":"internal/os/dup_%d.go","lines":%d}`, round, r.IntN(400)),
		},
	}}}
	// Most results are a few lines or a file; one in ten is long.
	size := 200 + r.IntN(6000)
	if round%10 == 9 {
		size = 20_000 + r.IntN(20_000)
	}
	return call, message{Role: "tool", ToolCallID: id, Content: output(r, size)}
}

// output is what a tool prints: code, test output and logs by turns.
func output(r *rand.Rand, size int) string {
	var text strings.Builder
	for line := 1; text.Len() < size; line++ {
		switch r.IntN(8) {
		case 0:
			fmt.Fprintf(&text, "--- FAIL: TestDup/%d (%.2fs)\n    dup_test.go:%d: got %q, want %q\n",
				line, r.Float64(), line, "EBADF", "")
		case 1:
			fmt.Fprintf(&text, "2026-03-03T09:%02d:%02dZ INFO build step=%d took=%dms status=\"ok\"\n",
				line%60, r.IntN(60), line, r.IntN(9000))
		case 2:
			fmt.Fprintf(&text, "\t// größer als nötig → siehe %d; 保持兼容\n", line)
		default:
			fmt.Fprintf(&text, "%5d\t\tif err := dup(%d, fd); err != nil {\n\t\t\treturn fmt.Errorf(\"dup %%d: %%w\", fd, err)\n\t\t}\n",
				line, r.IntN(64))
		}
	}
	return text.String()
}

// encode writes JSON as most clients do, without escapes for HTML.
func encode(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("bench: " + err.Error()) // the types of this file can all be written
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}
