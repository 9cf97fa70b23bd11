package explain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/explain"
	"github.com/pointsman/pointsman/test/odd"
)

func newPipeline(t *testing.T, added string) *filter.Pipeline {
	t.Helper()
	example, err := os.ReadFile("../../deploy/pointsman.yaml")
	require.NoError(t, err)
	cfg, err := config.Parse("pointsman.yaml", append(example, added...))
	require.NoError(t, err)
	pipeline, err := filter.New(cfg)
	require.NoError(t, err)
	return pipeline
}

// run explains lines and returns the output's lines, decoded.
func run(t *testing.T, pipeline *filter.Pipeline, in string, options explain.Options) (out []map[string]any, bad int) {
	t.Helper()
	var buffer bytes.Buffer
	bad, err := explain.Run(pipeline, strings.NewReader(in), &buffer, options)
	require.NoError(t, err)
	for line := range strings.Lines(buffer.String()) {
		var decoded map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &decoded))
		out = append(out, decoded)
	}
	return out, bad
}

const hello = `{"path":"/v1/chat/completions","body":"{\"model\":\"auto\",\"x\":\"<b>\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}"}`

func TestExplainPrintsARoutedRequest(t *testing.T) {
	t.Parallel()
	out, bad := run(t, newPipeline(t, ""), hello, explain.Options{})
	require.Len(t, out, 1)
	assert.Zero(t, bad)
	assert.JSONEq(t, `{"model":"small-2026","x":"<b>","messages":[{"role":"user","content":"hello"}]}`, out[0]["body"].(string))
	decided := out[0]["decision"].(map[string]any)
	for _, name := range []string{
		"id", "requested_model", "model", "upstream_model", "cluster", "mode", "would_select", "tier", "category", "source", "hinted",
		"difficulty", "confidence", "prompt_tokens", "pruned_tokens", "tokens_saved", "replaced", "trimmed", "candidates",
	} {
		assert.Contains(t, decided, name)
	}
	assert.Equal(t, "small", out[0]["set_headers"].(map[string]any)["x-selected-model"])
	assert.Contains(t, out[0]["remove_headers"], "x-pointsman-hint-tier")
	assert.NotContains(t, out[0], "classifier_input", "prompt text is printed only when asked for")
}

func TestExplainShowsTheClassifiersInputWhenAsked(t *testing.T) {
	t.Parallel()
	out, _ := run(t, newPipeline(t, ""), hello, explain.Options{ShowInput: true})
	input := out[0]["classifier_input"].(map[string]any)
	assert.Equal(t, "hello", input["text"])
	assert.NotContains(t, input["instruction"], "Context:")
}

func TestExplainPrintsWhatIsNoneOfOurs(t *testing.T) {
	t.Parallel()
	out, bad := run(t, newPipeline(t, ""), `{"path":"/v1/files","headers":{"X-Selected-Model":"large"},"body":"raw"}`, explain.Options{})
	assert.Zero(t, bad)
	assert.Equal(t, true, out[0]["passed_through"])
	assert.Equal(t, map[string]any{}, out[0]["set_headers"])
	assert.Contains(t, out[0]["remove_headers"], "x-selected-model")
	assert.Equal(t, "raw", out[0]["body"])
}

func TestExplainPrintsAnswers(t *testing.T) {
	t.Parallel()
	out, bad := run(t, newPipeline(t, ""), `{"path":"/v1/chat/completions"}`, explain.Options{})
	assert.Zero(t, bad, "a request that is answered is no bad line")
	answer := out[0]["immediate_response"].(map[string]any)
	assert.InDelta(t, 400, answer["status"], 0)
	assert.Equal(t, map[string]any{"content-type": "application/json"}, answer["headers"])
	assert.Contains(t, answer["body"], "the body is empty")
}

func TestExplainGoesOnAfterBadLines(t *testing.T) {
	t.Parallel()
	out, bad := run(t, newPipeline(t, ""), "\n"+hello+"\n  \nnonsense\n"+hello, explain.Options{})
	require.Len(t, out, 3)
	assert.Equal(t, 1, bad)
	assert.Contains(t, out[0], "decision")
	assert.Equal(t, "line 4: not a request: invalid character 'o' in literal null (expecting 'u') (at byte 1)", out[1]["error"])
	assert.Contains(t, out[2], "decision")
}

func TestExplainSaysWhatIsWrongWithALine(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	for line, want := range map[string]string{
		`[]`:                                 "must be an object (at byte 0)",
		`null`:                               `"path" is missing`,
		`{"body":"x"}`:                       `"path" is missing`,
		`{"path":7}`:                         "must be a string (at byte 8, in /path)",
		`{"path":"/","headers":[]}`:          "must be an object (at byte 22, in /headers)",
		`{"path":"/","headers":{"a":1}}`:     "must be a string (at byte 27, in /headers/a)",
		`{"Path":"/"}`:                       `"path" is missing`,
		`{"path":"/"`:                        "unexpected EOF (at byte 11)",
		`{"path":"/"} x`:                     "invalid character 'x' after top-level value (at byte 13)",
		`{"path":"/","path":"/"}`:            "duplicate object member name (at byte 12, in /path)",
		"{\"path\":\"/\",\"body\":\"\xff\"}": "invalid UTF-8 (at byte 20, in /body)",
		`{"path":"/","body":"\ud83d"}`:       "invalid surrogate pair `\\ud83d\"}` in string (at byte 20, in /body)",
		`{"path":"/","headers":{"X-a":"1","x-A":"2"}}`: `the header "x-a" stands twice`,
	} {
		out, bad := run(t, pipeline, line, explain.Options{})
		require.Len(t, out, 1, line)
		assert.Equal(t, 1, bad, line)
		assert.Equal(t, "line 1: not a request: "+want, out[0]["error"], line)
	}
}

func TestExplainSaysWhichKeysItDoesNotRead(t *testing.T) {
	t.Parallel()
	var notes strings.Builder
	out, bad := run(t, newPipeline(t, ""), `{"path":"/","id":7,"header":{}}`, explain.Options{Notes: &notes})
	assert.Zero(t, bad)
	assert.Equal(t, true, out[0]["passed_through"])
	assert.Equal(t, "line 1: ignored: [\"header\" \"id\"]; what is read is method, path, headers and body\n", notes.String())
}

func TestExplainTakesWhatIsMissingForEmpty(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"path":"/v1/chat/completions"}`, `{"path":"/v1/chat/completions","method":"","headers":{},"body":""}`,
		`{"path":"/v1/chat/completions","method":null,"headers":null,"body":null}`,
	} {
		out, bad := run(t, newPipeline(t, ""), line, explain.Options{})
		assert.Zero(t, bad, line)
		assert.Contains(t, out[0], "immediate_response", line)
	}
}

func TestExplainSaysWhatTheTableOfOddRequestsSays(t *testing.T) {
	t.Parallel()
	var in bytes.Buffer
	var wanted []odd.Request
	for _, r := range odd.Requests() {
		line, err := json.Marshal(map[string]any{"method": r.Method, "path": r.Path, "headers": r.Headers, "body": r.Body})
		require.NoError(t, err)
		if strings.Contains(string(line), `\ufffd`) {
			continue // a line of JSON cannot hold bytes that are not UTF-8
		}
		in.Write(append(line, '\n'))
		wanted = append(wanted, r)
	}
	out, bad := run(t, newPipeline(t, odd.Config), in.String(), explain.Options{})
	require.Len(t, out, len(wanted))
	assert.Zero(t, bad)
	for i, r := range wanted {
		if r.Answer == "" {
			assert.Equal(t, r.Upstream, out[i]["body"], r.Name)
			continue
		}
		answer, answered := out[i]["immediate_response"].(map[string]any)
		require.True(t, answered, r.Name)
		assert.Equal(t, r.Answer, answer["body"], r.Name)
		assert.InDelta(t, r.Status, answer["status"], 0, r.Name)
	}
}

func TestExplainReportsWhereReadingAndWritingFailed(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, err := explain.Run(newPipeline(t, ""), iotest.ErrReader(broken), &bytes.Buffer{}, explain.Options{})
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "read line 1")
	_, err = explain.Run(newPipeline(t, ""), strings.NewReader(hello), failing{broken}, explain.Options{})
	require.ErrorIs(t, err, broken)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
