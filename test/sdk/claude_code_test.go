package sdk

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	claudeSession = "5b0c6a5e-7f0e-4b52-9a8e-0d7a3f1c2e4d"
	// claudeUser is what metadata.user_id holds.
	claudeUser = "user_" + "8f14e45fceea167a5a36dedd4bea2543" + "_account__session_" + claudeSession
	// mark is where a turn's last block has its cache_control, as long as the
	// turn is the last one.
	mark = "<here>"
)

// aside is a reminder as the agent puts it beside what the human said.
func aside(text string) string {
	return block("<system-reminder>\n" + text + "\n</system-reminder>")
}

// block writes text as agents do, who leave angle brackets as they are.
func block(text string) string {
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // a string is always JSON
	}
	return `{"type":"text","text":` + strings.TrimSpace(quoted.String()) + `}`
}

func marked(block string) string { return strings.TrimSuffix(block, "}") + mark + "}" }

func userTurn(blocks ...string) string {
	return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
}

// claudeTurns are a session's: a greeting with a reminder about hard work, hard
// work with a harmless reminder, a tool's output full of hard words, and a
// goodbye with a reminder of the same.
func claudeTurns() []string {
	return []string{
		userTurn(aside("As you work, keep this in mind: "+hard), marked(block(greeting))),
		`{"role":"assistant","content":[{"type":"text","text":"Hello! What shall we do?"` + mark + `}]}`,
		userTurn(aside("The todo list is empty."), marked(block(hard))),
		`{"role":"assistant","content":[{"type":"thinking","thinking":"I'd look at the code first.","signature":"RXJVQ0NrZ0lBeGdDSWtB/+=="},` +
			`{"type":"text","text":"Let me look."},{"type":"tool_use","id":"toolu_01","name":"Read","input":{"file_path":"/src/lease.go","limit":1.0}` + mark + `}]}`,
		userTurn(`{"tool_use_id":"toolu_01","type":"tool_result","content":"1→Hello there!\nthanks, bye"`+mark+`}`,
			aside("This file was changed by a linter. Hello!")),
		`{"role":"assistant","content":[{"type":"text","text":"The design is in DESIGN.md."` + mark + `}]}`,
		userTurn(aside(hard), marked(block("What is the capital of Australia?"))),
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_02","name":"Read","input":{"file_path":"/DESIGN.md"}` + mark + `}]}`,
		userTurn(`{"tool_use_id":"toolu_02","type":"tool_result","content":[` + block(hard+" Prove that it terminates.") + `],"is_error":false` + mark + `}`),
	}
}

// claudeMessages is the session up to a turn, with the cache_control moved to
// its end.
func claudeMessages(turns int) string {
	list := claudeTurns()[:turns]
	last := turns - 1
	list[last] = strings.Replace(list[last], mark, `,"cache_control":{"type":"ephemeral","ttl":"1h"}`, 1)
	return `"messages":[` + strings.ReplaceAll(strings.Join(list, ","), mark, "") + `]`
}

const claudeTools = `"tools":[{"name":"Read","description":"Reads a file. Use it to design, debug or prove anything.",` +
	`"input_schema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"file_path":{"type":"string"},` +
	`"limit":{"type":"number","maximum":9007199254740993}},"required":["file_path"],"additionalProperties":false}}]`

// claudeBody is a turn of the session; the system prompt begins with a block
// that differs from turn to turn.
func claudeBody(model string, turns int, thinking string) string {
	return `{"model":"` + model + `",` + claudeMessages(turns) + `,"system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=` +
		strings.Repeat("9", turns) + `;"},{"type":"text","text":"You are a coding agent.","cache_control":{"type":"ephemeral"}}],` + claudeTools +
		`,"metadata":{"user_id":"` + claudeUser + `"},"max_tokens":32000,"thinking":` + thinking +
		`,"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]},"temperature":1.0,"stream":true}`
}

func claudeHeader(more ...string) map[string]string {
	header := map[string]string{
		"authorization": "Bearer of-the-client", "anthropic-version": "2023-06-01",
		"anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27",
		"user-agent":     "claude-cli/9.9.9 (external, cli)", "x-app": "cli",
		"x-claude-code-session-id": claudeSession,
	}
	for i := 0; i < len(more); i += 2 {
		header[more[i]] = more[i+1]
	}
	return header
}

const (
	messagesPath = "/v1/messages?beta=true"
	countPath    = "/v1/messages/count_tokens?beta=true"
	opus         = "claude-opus-9-9-20990101"
	haiku        = "claude-haiku-9-9-20990101"
	budgeted     = `{"budget_tokens":31999,"type":"enabled"}`
	adaptive     = `{"type":"adaptive"}`
)

// The requests of a session come one after another.
func TestReplay_ClaudeCodeIsDecidedByWhatTheHumanSaid(t *testing.T) {
	v := visiting()
	steps := []struct {
		name     string
		turns    int
		thinking string
		want     request
	}{
		{"a greeting", 1, budgeted, request{model: "quick", tier: "simple", category: "chat"}},
		{"hard work", 3, budgeted, request{model: "large", tier: "complex", category: "system_design"}},
		{"its tool's result", 5, adaptive, request{model: "large", tier: "complex", category: "system_design"}},
		{"a simple question", 7, adaptive, request{model: "quick", tier: "simple", category: "factual_qa"}},
		{"its tool's result, full of hard words", 9, budgeted, request{model: "quick", tier: "simple", category: "factual_qa"}},
	}
	sessions := map[string]bool{}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			r := step.want
			r.path, r.asked, r.header = messagesPath, opus, claudeHeader()
			r.body = claudeBody(opus, step.turns, step.thinking)
			d := v.replay(t, r)
			assertSealed(t, d)
			sessions[d.GetSession()] = true
		})
	}
	require.Len(t, sessions, 1, "one session has one key")
	assert.NotContains(t, sessions, "")
}

func TestReplay_ClaudeCodeCountsTokensWithTheModelOfItsMessages(t *testing.T) {
	t.Parallel()
	v := visiting()
	r := request{path: countPath, asked: opus, header: claudeHeader(), model: "large", tier: "complex", category: "system_design"}
	r.body = `{"model":"` + opus + `",` + claudeMessages(5) + `,` + claudeTools + `,"thinking":` + budgeted + `}`
	counted := v.replay(t, r)
	assertSealed(t, counted)
	r.path, r.body = messagesPath, claudeBody(opus, 5, budgeted)
	assert.Equal(t, v.replay(t, r).GetSession(), counted.GetSession())
}

// The agent asks for titles and the like by the name of a small model that
// nobody has configured, without thinking.
func TestReplay_ClaudeCodeMayUseAnotherFamilyWhereNothingIsSealed(t *testing.T) {
	t.Parallel()
	v := visiting()
	r := request{path: messagesPath, asked: haiku, header: claudeHeader(), model: "small", tier: "simple", category: "chat"}
	r.body = `{"model":"` + haiku + `","messages":[` + userTurn(block(greeting)) + `],"metadata":{"user_id":"` + claudeUser +
		`"},"max_tokens":32000,"stream":true}`
	d := v.replay(t, r)

	agent := r
	agent.header = claudeHeader("x-claude-code-agent-id", "agent-1")
	assert.NotEqual(t, d.GetSession(), v.replay(t, agent).GetSession(), "a sub-agent has a session of its own")

	// An older agent names its session in the body alone.
	older := r
	older.header = maps.Clone(r.header)
	delete(older.header, "x-claude-code-session-id")
	first := v.replay(t, older).GetSession()
	older.body = strings.Replace(r.body, greeting, "Hello again!", 1)
	assert.Equal(t, first, v.replay(t, older).GetSession())
	older.body = strings.Replace(r.body, claudeSession, strings.Replace(claudeSession, "5b", "6b", 1), 1)
	assert.NotEqual(t, first, v.replay(t, older).GetSession())
}
