package sdk

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// span is where a value stands in a body.
type span struct{ from, to int }

func (s span) of(body []byte) []byte { return body[s.from:s.to] }

// taken is a body taken apart, by other means than pointsman's own.
type taken struct {
	body    []byte
	model   span
	turns   []span
	results []span // what the tools came to, in order
}

func take(t *testing.T, body []byte, param string) (made taken) {
	t.Helper()
	members := membersOf(t, body, span{0, len(body)})
	made = taken{body: body, model: members["model"], turns: elementsOf(t, body, members[param])}
	for _, turn := range made.turns {
		members := membersOf(t, body, turn)
		output, isOutput := members["output"]
		content, hasContent := members["content"]
		switch {
		case isOutput:
			made.results = append(made.results, output)
		case string(members["role"].of(body)) == `"tool"`:
			made.results = append(made.results, content)
		case hasContent && body[content.from] == '[':
			made.results = append(made.results, resultsIn(t, body, content)...)
		}
	}
	return made
}

// resultsIn are the tool results among a message's blocks.
func resultsIn(t *testing.T, body []byte, content span) (results []span) {
	t.Helper()
	for _, block := range elementsOf(t, body, content) {
		members := membersOf(t, body, block)
		if string(members["type"].of(body)) == `"tool_result"` {
			results = append(results, members["content"])
		}
	}
	return results
}

// membersOf are the values of the object at a place.
func membersOf(t *testing.T, body []byte, at span) map[string]span {
	t.Helper()
	members := map[string]span{}
	decoder := jsontext.NewDecoder(bytes.NewReader(at.of(body)))
	_, err := decoder.ReadToken()
	require.NoError(t, err)
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		require.NoError(t, err)
		called := name.String()
		members[called] = next(t, decoder, at.from)
	}
	return members
}

func elementsOf(t *testing.T, body []byte, at span) (elements []span) {
	t.Helper()
	decoder := jsontext.NewDecoder(bytes.NewReader(at.of(body)))
	_, err := decoder.ReadToken()
	require.NoError(t, err)
	for decoder.PeekKind() != ']' {
		elements = append(elements, next(t, decoder, at.from))
	}
	return elements
}

// next is where the decoder's next value stands.
func next(t *testing.T, decoder *jsontext.Decoder, from int) span {
	t.Helper()
	value, err := decoder.ReadValue()
	require.NoError(t, err)
	end := from + int(decoder.InputOffset())
	return span{end - len(value), end}
}

// rest is the body without what the tools came to and without the model's name:
// what nobody may change.
func (b taken) rest() string {
	var rest strings.Builder
	done := 0
	for _, cut := range b.cuts() {
		rest.Write(b.body[done:cut.from])
		rest.WriteString("…")
		done = cut.to
	}
	rest.Write(b.body[done:])
	return rest.String()
}

// cuts are the results and the model, in the order of their places.
func (b taken) cuts() []span {
	at := 0
	for at < len(b.results) && b.results[at].from < b.model.from {
		at++
	}
	cuts := append([]span{}, b.results[:at]...)
	return append(append(cuts, b.model), b.results[at:]...)
}

func (b taken) result(i int) string { return string(b.results[i].of(b.body)) }

// What became of a result.
const (
	kept     = "kept"
	replaced = "replaced"
	trimmed  = "trimmed"
)

// became says what became of a result, and holds it to what may.
func became(t *testing.T, before, after string) string {
	t.Helper()
	if before == after {
		return kept
	}
	assert.Less(t, len(after), len(before), "nothing is inflated (R3)")
	var was, is any
	require.NoError(t, json.Unmarshal([]byte(before), &was))
	require.NoError(t, json.Unmarshal([]byte(after), &is))
	if text, ok := was.(string); ok {
		return textBecame(t, text, is)
	}
	parts, ok := is.([]any)
	require.True(t, ok, "blocks stay blocks (R11)")
	require.Len(t, parts, len(was.([]any)))
	what := replaced
	for i, part := range was.([]any) {
		if partBecame(t, part.(object), parts[i].(object)) == trimmed {
			what = trimmed
		}
	}
	return what
}

// partBecame holds a block to what may become of it: its text becomes another
// one, or what is none a text block that says so.
func partBecame(t *testing.T, was, is object) string {
	t.Helper()
	assert.Equal(t, was["cache_control"], is["cache_control"])
	text, isText := was["text"].(string)
	if !isText {
		delete(is, "cache_control")
		textType := strings.Replace(was["type"].(string), "image", "text", 1)
		textType = strings.TrimSuffix(textType, "_url")
		assert.Equal(t, object{"type": textType, "text": "[image replaced]"}, is)
		return replaced
	}
	what := kept
	if text != is["text"] {
		what = textBecame(t, text, is["text"])
	}
	delete(was, "text")
	delete(is, "text")
	assert.Equal(t, was, is, "nothing else of it is touched")
	return what
}

var (
	placeholder = regexp.MustCompile(`^\[(\w+ result replaced, [\d,]+ chars|replaced)\]$`)
	marker      = regexp.MustCompile(`\n\[\.\.\. ([\d,]+) characters trimmed \.\.\.\]\n`)
)

func textBecame(t *testing.T, was string, value any) string {
	t.Helper()
	is, ok := value.(string)
	require.True(t, ok)
	if placeholder.MatchString(is) {
		return replaced
	}
	at := marker.FindStringIndex(is)
	require.NotNil(t, at, "%.200q became %.200q", was, is)
	head, tail := is[:at[0]], is[at[1]:]
	assert.True(t, strings.HasPrefix(was, head) && strings.HasSuffix(was, tail), "both ends stay")
	gone := strings.ReplaceAll(marker.FindStringSubmatch(is)[1], ",", "")
	assert.Equal(t, gone, strconv.Itoa(utf8.RuneCountInString(was)-utf8.RuneCountInString(head+tail)))
	return trimmed
}

// assertSame compares texts that are too long to be printed.
func assertSame(t *testing.T, want, got, what string) {
	t.Helper()
	if want == got {
		return
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	from := max(at-40, 0)
	t.Errorf("%s: from byte %d on it is\n%.120q and not\n%.120q", what, at, got[from:], want[from:])
}
