package sdk

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// result is what came of one exchange, as a client's program saw it.
type result struct {
	Model     string         `json:"model,omitempty"`
	Text      string         `json:"text,omitempty"`
	Stop      string         `json:"stop,omitempty"`
	Tool      string         `json:"tool,omitempty"`
	Arguments map[string]any `json:"arguments,omitempty"`
	Tokens    int64          `json:"tokens,omitempty"`
	// Error is the name of the library's own type, or, where it has one for all
	// of them, the type that it read from the answer.
	Error   string `json:"error,omitempty"`
	Status  int    `json:"status,omitempty"`
	Message string `json:"message,omitempty"`
}

const (
	greeting = "Hello there!"
	call     = `Please use get_weather {"city": "Zürich", "precise": 1.0}`
	weather  = "sunny, 21.50 °C"
	look     = "Hello, what is this?"
	pixel    = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

	unknownModel = `unknown model "none-such": ask for auto, coder, watched or for a model of the catalogue`
	tooLong      = "no model of auto can take this request: context window: needs 5,254,096 tokens " +
		"(prompt 5,000,000, margin 250,000, answer 4,096); largest window: large, 1,000,000 tokens"
	// Anthropic's clients look for these words; 1,000 tokens of the answer and
	// the margin are already taken from the maximum.
	tooLongMessages = "prompt is too long: 5000000 tokens > 951428 maximum"
)

// outcomes are what a library has to see of each API that it speaks.
func outcomes(apis ...string) map[string]result {
	all := map[string]result{}
	for _, api := range apis {
		stop := map[string]string{"chat": "stop", "responses": "completed", "messages": "end_turn"}[api]
		all[api+" plain"] = result{
			Model: "small-2026", Stop: stop,
			Text: `small-2026 was told "Hello there!" and would act on these 2 words here.`,
		}
		all[api+" stream"] = all[api+" plain"]
		all[api+" tool"] = result{
			Model: "small-2026", Stop: stop, Tool: "get_weather", Arguments: map[string]any{"city": "Zürich", "precise": 1.0},
			Text: `small-2026 has read 16 bytes from the tool, beginning with "sunny, 21.50 °C".`,
		}
		all[api+" image"] = result{
			Model: "medium-2026", Stop: stop,
			Text: `medium-2026 was asked "Hello, what is this?" and would answer these 4 words here.`,
		}
		all[api+" 404"] = result{Error: "NotFoundError", Status: 404, Message: unknownModel}
		all[api+" 400"] = result{Error: "BadRequestError", Status: 400, Message: tooLong}
		if api == "messages" {
			all[api+" 400"] = result{Error: "BadRequestError", Status: 400, Message: tooLongMessages}
		}
	}
	return all
}

// assertOutcomes holds what a library saw against what it has to see. The
// tokens that the provider counted depend on how the library writes its JSON.
func (v visit) assertOutcomes(t *testing.T, want, got map[string]result) {
	t.Helper()
	want["messages count"] = result{Tokens: v.counted(t)}
	assert.Empty(t, cmp.Diff(want, got))
	for _, requests := range v.received() {
		for _, request := range requests {
			assert.Contains(t, request.Headers.Get("authorization")+request.Headers.Get("x-api-key"), "of-the-client")
		}
	}
}

// counted is what the provider answered to the visit's only count_tokens.
func (v visit) counted(t *testing.T) int64 {
	t.Helper()
	var counts []int64
	for _, requests := range v.received() {
		for _, request := range requests {
			if path, _, _ := strings.Cut(request.Path, "?"); !strings.HasSuffix(path, "/count_tokens") {
				continue
			}
			var answer struct {
				Tokens int64 `json:"input_tokens"`
			}
			require.NoError(t, json.Unmarshal(request.Answer, &answer))
			counts = append(counts, answer.Tokens)
		}
	}
	require.Len(t, counts, 1)
	require.Positive(t, counts[0])
	return counts[0]
}

func TestSDK_PythonSeesWhatTheProvidersSaid(t *testing.T) {
	t.Parallel()
	v := visiting()
	python := filepath.Join(v.root, ".tools", "python", "bin", "python")
	got := results[result](t, exec.CommandContext(t.Context(), python, "client.py", v.base()))
	v.assertOutcomes(t, outcomes("chat", "responses", "messages"), got)
}

func TestSDK_JavaScriptSeesWhatTheProvidersSaid(t *testing.T) {
	t.Parallel()
	v := visiting()
	node := exec.CommandContext(t.Context(), "node", "client.js", v.base())
	node.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(v.root, ".tools", "javascript", "node_modules"))
	v.assertOutcomes(t, outcomes("chat", "responses", "messages"), results[result](t, node))
}

// results runs a client's program.
func results[R any](t *testing.T, program *exec.Cmd) map[string]R {
	t.Helper()
	var stderr bytes.Buffer
	program.Stderr = &stderr
	output, err := program.Output()
	require.NoError(t, err, "%s\nThe client libraries come with `make sdks`, which needs Python 3 with pip, "+
		"and Node 20 or newer with npm (apt-get install python3-pip nodejs npm).", &stderr)
	var all map[string]R
	require.NoError(t, json.Unmarshal(output, &all), "%s", output)
	return all
}
