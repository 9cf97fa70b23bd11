package sdk

import (
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	codexModel   = "gpt-9.9-codex"
	codexSession = "0199a213-81c0-7800-8aa1-bbab2a035a53"
)

func zstandard(t *testing.T, body []byte) []byte {
	t.Helper()
	writer, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	defer func() { assert.NoError(t, writer.Close()) }()
	return writer.EncodeAll(body, nil)
}

func inputText(text string) string {
	return `{"type":"message","role":"user","content":[` + strings.Replace(block(text), `"text"`, `"input_text"`, 1) + `]}`
}

// codexItems are a session's: the state of the shell, a greeting, hard work, and
// two tools' output, the second of a simple question's and full of hard words.
func codexItems() []string {
	return []string{
		`{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions>` + hard + `</permissions>"}]}`,
		inputText("<environment_context>\n  <cwd>/src</cwd>\n  <note>" + hard + "</note>\n</environment_context>"),
		inputText(greeting),
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello! What shall we do?"}]}`,
		inputText(hard),
		`{"type":"reasoning","summary":[],"content":null,"encrypted_content":"Z0FBQUFBQm9Ub3/+=="}`,
		`{"type":"custom_tool_call","status":"completed","call_id":"call_1","name":"apply_patch",` +
			`"input":"*** Begin Patch\n*** Add File: DESIGN.md\n+# Leases\n*** End Patch\n"}`,
		`{"type":"custom_tool_call_output","call_id":"call_1","output":"{\"output\":\"Success. Hello there!\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.0}}"}`,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"The design is in DESIGN.md."}]}`,
		inputText("What is the capital of Australia?"),
		`{"type":"function_call","name":"shell","arguments":"{\"command\":[\"cat\",\"DESIGN.md\"],\"timeout_ms\":1e4}","call_id":"call_2"}`,
		`{"type":"function_call_output","call_id":"call_2","output":"` + hard + ` Prove that it terminates."}`,
	}
}

func codexBody(items int) string {
	return `{"model":"` + codexModel + `","instructions":"You are a coding agent.","input":[` + strings.Join(codexItems()[:items], ",") + `],` +
		`"tools":[{"type":"function","name":"shell","description":"Runs a command.","strict":false,"parameters":{"type":"object",` +
		`"properties":{"command":{"type":"array","items":{"type":"string"}},"timeout_ms":{"type":"number"}},"required":["command"]}},` +
		`{"type":"custom","name":"apply_patch","description":"Edits files.","format":{"type":"grammar","syntax":"lark","definition":"start: \"x\"\n"}}],` +
		`"tool_choice":"auto","parallel_tool_calls":false,"reasoning":{"effort":"medium","summary":"auto"},"store":false,"stream":true,` +
		`"include":["reasoning.encrypted_content"],"prompt_cache_key":"` + codexSession + `","text":{"verbosity":"medium"}}`
}

func codexRequest() request {
	return request{
		path: "/v1/responses", asked: codexModel, coding: "zstd",
		header: map[string]string{
			"authorization": "Bearer of-the-client", "accept": "text/event-stream", "originator": "codex_cli_rs",
			"user-agent": "codex_cli_rs/9.9.9 (Debian 13; x86_64)", "session_id": codexSession,
		},
	}
}

// The requests of a session come one after another.
func TestReplay_CodexIsDecidedByWhatTheHumanSaid(t *testing.T) {
	v := visiting()
	steps := []struct {
		name                  string
		items                 int
		model, tier, category string
	}{
		{"a greeting", 3, "quick", "simple", "chat"},
		{"hard work", 5, "large", "complex", "system_design"},
		{"its tool's output", 8, "large", "complex", "system_design"},
		{"a simple question", 10, "quick", "simple", "factual_qa"},
		{"its tool's output, full of hard words", 12, "quick", "simple", "factual_qa"},
	}
	sessions := map[string]bool{}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			r := codexRequest()
			r.body, r.model, r.tier, r.category = codexBody(step.items), step.model, step.tier, step.category
			d := v.replay(t, r)
			assertSealed(t, d)
			sessions[d.GetSession()] = true
		})
	}
	require.Len(t, sessions, 1, "one session has one key")
	assert.NotContains(t, sessions, "")
}

// What is compacted can be read by the family that wrote it, and by no other.
func TestReplay_CodexCompactsWithinItsFamily(t *testing.T) {
	t.Parallel()
	v := visiting()
	r := codexRequest()
	r.path, r.coding = "/v1/responses/compact", ""
	r.model, r.tier, r.category = "large", "complex", "system_design"
	r.body = `{"model":"` + codexModel + `","input":[` + strings.Join(codexItems()[:8], ",") + `],"instructions":"You are a coding agent."}`
	assertSealed(t, v.replay(t, r))

	r = codexRequest()
	r.model, r.tier, r.category = "quick", "simple", "chat"
	r.body = `{"model":"` + codexModel + `","input":[{"id":"cmp_1","type":"compaction","encrypted_content":"sealed by large-2026"},` +
		inputText(greeting) + `],"store":false,"stream":true}`
	assertSealed(t, v.replay(t, r))
}
