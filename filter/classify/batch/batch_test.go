package batch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/classify/batch"
	"github.com/pointsman/pointsman/filter/decision"
)

func run(t *testing.T, in string) (out []map[string]any, bad int) {
	t.Helper()
	var buffer bytes.Buffer
	bad, err := batch.Run(classify.New(decision.Complex, true), strings.NewReader(in), &buffer)
	require.NoError(t, err)
	for line := range strings.Lines(buffer.String()) {
		var decoded map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &decoded))
		out = append(out, decoded)
	}
	return out, bad
}

func TestAnswersSayWhatTheClassifierSays(t *testing.T) {
	t.Parallel()
	const prior = "Prove that every finite integral domain is a field."
	out, bad := run(t, `{"prompt":"yes, go ahead","prior_turn":"`+prior+`","reference":"x","label":7}`)
	want := classify.New(decision.Complex, true).Classify(
		classify.Input{Message: "yes, go ahead", PriorTurn: prior, Reference: "x"}, classify.Hints{})
	assert.Zero(t, bad)
	assert.Equal(t, []map[string]any{{
		"category": string(want.Category), "tier": want.Tier.String(), "difficulty": want.Difficulty,
		"confidence": want.Confidence, "source": "classifier",
	}}, out)
}

func TestAnEmptyPromptIsTheFallbackTier(t *testing.T) {
	t.Parallel()
	for _, line := range []string{`{"prompt":""}`, `{}`, `{"prompt":" \u200b","prior_turn":"Prove it."}`} {
		out, bad := run(t, line)
		assert.Zero(t, bad)
		assert.Equal(t, "complex", out[0]["tier"], line)
		assert.Equal(t, "fallback", out[0]["source"], line)
	}
}

func TestAnswersComeInOrderAroundBadLines(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	const count = 5000
	for i := range count {
		if i%1000 == 7 {
			in.WriteString("nonsense\n")
			continue
		}
		fmt.Fprintf(&in, "{\"prompt\":%q}\n\n", strings.Repeat("word ", i%97))
	}
	out, bad := run(t, in.String())
	require.Len(t, out, count)
	assert.Equal(t, 5, bad)
	classifier := classify.New(decision.Complex, true)
	for i, answer := range out {
		if i%1000 == 7 {
			assert.Contains(t, answer["error"], "not a prompt: invalid character")
			continue
		}
		want := classifier.Classify(classify.Input{Message: strings.Repeat("word ", i%97)}, classify.Hints{})
		require.InDelta(t, want.Difficulty, answer["difficulty"], 0, i)
	}
}

func TestABadLineIsNamed(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`[]`:                          "must be an object (at byte 0)",
		`{"prompt":7}`:                "must be a string (at byte 10, in /prompt)",
		`{"prompt":"a","prompt":"b"}`: "duplicate object member name (at byte 14, in /prompt)",
		`{"prompt":"a"`:               "unexpected EOF (at byte 13)",
		"{\"prompt\":\"\xff\"}":       "invalid UTF-8 (at byte 11, in /prompt)",
	} {
		out, bad := run(t, "\n"+line)
		assert.Equal(t, 1, bad, line)
		assert.Equal(t, "line 2: not a prompt: "+want, out[0]["error"], line)
	}
}

func TestALineThatIsTooLongIsAnsweredAndTheRestGoesOn(t *testing.T) {
	t.Parallel()
	in := io.MultiReader(
		strings.NewReader(`{"prompt":"`), io.LimitReader(zeros{}, 65<<20), strings.NewReader("\"}\n"+`{"prompt":"hello"}`))
	var out bytes.Buffer
	bad, err := batch.Run(classify.New(decision.Medium, true), in, &out)
	require.NoError(t, err)
	assert.Equal(t, 1, bad)
	first, second, _ := strings.Cut(out.String(), "\n")
	assert.JSONEq(t, `{"error":"line 1: longer than 67108864 bytes"}`, first)
	assert.Contains(t, second, `"tier":"simple"`)
}

type zeros struct{}

func (zeros) Read(to []byte) (int, error) {
	for i := range to {
		to[i] = '0'
	}
	return len(to), nil
}

func TestAnAnswerIsWrittenBeforeTheNextLineComes(t *testing.T) {
	t.Parallel()
	in, lines := io.Pipe()
	answers, out := io.Pipe()
	go func() {
		_, err := batch.Run(classify.New(decision.Medium, true), in, out)
		out.CloseWithError(err)
	}()
	decoder := json.NewDecoder(answers)
	for range 3 {
		_, err := io.WriteString(lines, "{\"prompt\":\"hi\"}\n")
		require.NoError(t, err)
		var answer map[string]any
		require.NoError(t, decoder.Decode(&answer))
		assert.Equal(t, "chat", answer["category"])
	}
	require.NoError(t, lines.Close())
	assert.ErrorIs(t, decoder.Decode(new(any)), io.EOF)
}

func TestErrorsSayWhetherReadingOrWritingFailed(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	classifier := classify.New(decision.Medium, true)
	_, err := batch.Run(classifier, iotest.ErrReader(broken), io.Discard)
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "read line 1")
	_, err = batch.Run(classifier, strings.NewReader(strings.Repeat("{}\n", 9999)), failing{broken})
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "write")
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
