package llm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/decision"
)

func TestReadAnswer_FindsItWhereItStands(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"category":"debugging","tier":"medium","difficulty":0.4}`,
		"\n {\"difficulty\": 4e-1, \"tier\": \"medium\", \"category\": \"debugging\"} \n",
		"```json\n{\"category\":\"debugging\",\n\"tier\":\"medium\",\"difficulty\":0.4}\n```",
		`Sure! Here is my answer: {"category":"debugging","tier":"medium","difficulty":0.4}. Anything else?`,
		`<think>{it} looks like {a bug}</think>{"category":"debugging","tier":"medium","difficulty":0.4}`,
		`{"answer":{"category":"debugging","tier":"medium","difficulty":0.4}}`,
		`{"category":"debugging","tier":"medium","difficulty":0.4,"why":"a stack trace {\"tier\":\"reasoning\"}"}`,
		`{"category":"debugging","tier":"medium","difficulty":0.4}{"category":"debugging","tier":"medium","difficulty":0.4}`,
		`{"category":"debugging","tier":"m\u0065dium","difficulty":0.4}`,
	} {
		got, ok := readAnswer(text)
		require.True(t, ok, text)
		assert.Equal(t, answer{decision.Medium, decision.Debugging, 0.4}, got, text)
	}
}

func TestReadAnswer_WithoutADifficultyItIsInTheMiddleOfTheTier(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"category":"math","tier":"complex"}`, `{"category":"math","tier":"complex","difficulty":null}`} {
		got, ok := readAnswer(text)
		require.True(t, ok)
		assert.Equal(t, answer{decision.Complex, decision.Math, 0.625}, got)
	}
}

func TestReadAnswer_TakesNothingOutsideTheVocabulary(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "{", "medium", `"medium"`, `["medium","debugging"]`, "{}", "null",
		`{"category":"debugging"}`,
		`{"tier":"medium"}`,
		`{"category":"debugging","tier":""}`,
		`{"category":"","tier":"medium"}`,
		`{"category":"debugging","tier":null}`,
		`{"category":"debugging","tier":2}`,
		`{"category":"debugging","tier":["medium"]}`,
		`{"category":"debugging","tier":"Medium"}`,
		`{"category":"debugging","tier":"medium "}`,
		`{"category":"poetry","tier":"medium"}`,
		`{"Category":"debugging","Tier":"medium"}`,
		`{"category":"debugging","tier":"medium","difficulty":1.1}`,
		`{"category":"debugging","tier":"medium","difficulty":-0.1}`,
		`{"category":"debugging","tier":"medium","difficulty":"0.4"}`,
		`{"category":"debugging","tier":"medium","difficulty":NaN}`,
		`{"category":"debugging","tier":"simple","tier":"medium"}`,
		`{"category":"debugging","tier":"medium"`,
		`{"category":"debugging","tier":"medium"} {"category":"debugging","tier":"simple"}`,
		`{"category":"debugging","tier":"medium"} {"category":"debugging","tier":"hard"}`,
		`{"tier":"medium"} {"category":"debugging","tier":"medium"}`,
		strings.Repeat("{", 32) + `{"category":"debugging","tier":"medium"}`,
	} {
		got, ok := readAnswer(text)
		assert.False(t, ok, text)
		assert.Zero(t, got, text)
	}
}

func TestReadReply_TakesTheFirstChoicesContentAlone(t *testing.T) {
	t.Parallel()
	for reply, ok := range map[string]bool{
		`{"choices":[{"message":{"content":"{\"category\":\"math\",\"tier\":\"medium\"}"}}]}`:                              true,
		`{"x":1,"x":2,"choices":[{"message":{"content":"{\"category\":\"math\",\"tier\":\"medium\"}"}},{}]}`:               true,
		`{"choices":[{"message":{"content":null,"reasoning":"{\"category\":\"math\",\"tier\":\"medium\"}"}}]}`:             false,
		`{"choices":[{"message":{"content":{"category":"math","tier":"medium"}}}]}`:                                        false,
		`{"choices":[{"message":{"content":"no"}},{"message":{"content":"{\"category\":\"math\",\"tier\":\"medium\"}"}}]}`: false,
		`{"category":"math","tier":"medium"}`: false,
		`{"choices":[{}]}`:                    false,
		`{"choices":null}`:                    false,
		`[]`:                                  false,
		``:                                    false,
	} {
		_, err := readReply([]byte(reply))
		if ok {
			assert.NoError(t, err, reply)
		} else {
			assert.EqualError(t, err, "unreadable", reply)
		}
	}
}

// Whatever a server sends, what is read of it is a part of the vocabulary.
func FuzzReadReply(f *testing.F) {
	f.Add(reply(simple))
	f.Add(reply("```json\n" + simple + "\n```"))
	f.Add([]byte(`{"choices":[{"message":{"content":"{{{\"category\":\"math\",\"tier\":\"medium\",\"difficulty\":1e999}"}}]}`))
	f.Fuzz(func(t *testing.T, reply []byte) {
		got, err := readReply(reply)
		if err != nil {
			assert.Zero(t, got)
			return
		}
		assert.Contains(t, decision.Categories(), got.category)
		result := classify.Said(got.tier, got.category, got.difficulty)
		low := got.tier.Difficulty(0)
		assert.GreaterOrEqual(t, result.Difficulty, low)
		assert.Less(t, result.Difficulty, low+0.25)
	})
}
