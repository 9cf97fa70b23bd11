package prune_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/prune"
)

// around puts messages between a call of the tool f and further rounds.
func around(api conversation.API, messages string) string {
	call := func(id string) string {
		if api == conversation.OpenAIChat {
			return `{"role":"assistant","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"f","arguments":"{}"}}]},`
		}
		return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"f","input":{}}]},`
	}
	result := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"2","content":"new"}]}`
	if api == conversation.OpenAIChat {
		result = `{"role":"tool","tool_call_id":"2","content":"new"}`
	}
	return `{"role":"user","content":"go"},` + call("1") + messages + "," + call("2") + result
}

// A block like a tool result may stand where none belongs. The system text may
// stand behind the messages, too.
func TestPrune_NobodysWordsChangeWhereTheyLookLikeAToolResult(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line of output ", 400)
	block := `[{"type":"tool_result","tool_use_id":"1","content":"` + long + `"}]`
	answer := `{"role":"user","content":` + block + `}`
	for _, role := range []string{"system", "developer", "assistant", "narrator"} {
		body := `{"messages":[` + around(conversation.AnthropicMessages, answer+`,{"role":"`+role+`","content":`+block+`}`) + `]}`
		made, sent := plan(t, eager(replace), conversation.AnthropicMessages, []byte(body))
		assert.Equal(t, 1, made.Replaced, role)
		assert.Contains(t, string(sent), `{"role":"`+role+`","content":`+block+`}`)
	}
	body := `{"messages":[` + around(conversation.AnthropicMessages, answer) + `],"system":` + block + `}`
	made, sent := plan(t, eager(replace), conversation.AnthropicMessages, []byte(body))
	assert.Equal(t, 1, made.Replaced)
	assert.Contains(t, string(sent), `"system":`+block+`}`)
}

// Clients of Messages that talk to Chat Completions send such blocks in messages
// of tools.
func TestPrune_AToolMessageOfToolResultsIsPrunedOnce(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line of output ", 400)
	for _, api := range []conversation.API{conversation.OpenAIChat, conversation.AnthropicMessages} {
		for _, message := range []string{
			`{"role":"tool","tool_call_id":"1","content":[%s{"type":"tool_result","tool_use_id":"1","content":"%s"}]}`,
			`{"content":[%s{"content":"%s","tool_use_id":"1","type":"tool_result"}],"role":"tool"}`,
		} {
			for _, beside := range []string{"", `{"type":"text","text":"` + long + `"},`} {
				body := `{"messages":[` + around(api, fmt.Sprintf(message, beside, long)) + `]}`
				made, sent := plan(t, eager(replace), api, []byte(body))
				assert.Equal(t, 1, made.Replaced, message)
				assert.Equal(t, strings.Replace(body, fmt.Sprintf(message, beside, long), fmt.Sprintf(message, beside, "[f result replaced, 6,000 chars]"), 1), string(sent))
			}
		}
	}
}

const ephemeral = `"cache_control":{"type":"ephemeral","ttl":"1h"}`

func TestPrune_R3_ABlockWithAMarkerGetsNoLonger(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"image", "document", "other"} {
		for length := range 100 {
			part := fmt.Sprintf(`{"type":%q,"x":%q`, kind, strings.Repeat("x", length))
			body := func(part string) []byte {
				return []byte(`{"messages":[` + around(conversation.AnthropicMessages,
					`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[`+part+`]}]}`) + `]}`)
			}
			bare, _ := plan(t, eager(), conversation.AnthropicMessages, body(part+"}"))
			marked, sent := plan(t, eager(), conversation.AnthropicMessages, body(part+","+ephemeral+"}"))
			require.LessOrEqual(t, len(sent), len(body(part+","+ephemeral+"}")), part)
			require.Equal(t, bare.Saved, marked.Saved, "%s: the marker has no part in it", part)
			require.Contains(t, string(sent), ephemeral)
		}
	}
}

// spellings are how JSON encoders write: without white space, with a space
// behind commas and colons, and on lines of their own.
var spellings = map[string][]jsontext.Options{
	"compact": nil,
	"spaced":  {jsontext.SpaceAfterComma(true), jsontext.SpaceAfterColon(true)},
	"lines":   {jsontext.Multiline(true), jsontext.WithIndent("  ")},
}

// objects begin what clients put markers into.
var objects = regexp.MustCompile(`\{("id":"call_\w+"|"type":"(text|image|document|image_url|file|tool_use|tool_result|thinking)"|"role":"\w+")`)

// Wherever a marker of the prompt cache stands, and however it is spelled, what
// is pruned is the same: it moves from call to call.
func TestPrune_MarkersHaveNoPartInThePlanWhereverTheyStand(t *testing.T) {
	t.Parallel()
	everyPlan(t, func(t *testing.T, api conversation.API, p *prune.Pruner, _ talk, body []byte) {
		t.Helper()
		if api == conversation.OpenAIResponses {
			return // it has none
		}
		for name, options := range spellings {
			bare := jsontext.Value(body).Clone()
			require.NoError(t, bare.Format(options...))
			made, _ := plan(t, p, api, bare)
			for _, with := range []string{"{" + ephemeral + ",$1", "{$1," + ephemeral, `{"cache_c\u006fntrol":{"type":"ephemeral"},$1`} {
				marked := jsontext.Value(objects.ReplaceAll(body, []byte(with)))
				require.NoError(t, marked.Format(options...))
				then, _ := plan(t, p, api, marked)
				require.Equal(t, withoutMarkers(made), withoutMarkers(then), "%s %s", name, with)
				require.Equal(t, made.Saved, then.Saved, "%s %s", name, with)
			}
		}
	})
}

var anyMarker = regexp.MustCompile(`,\s*"cache_control":\s*\{[^}]*\}`)

func withoutMarkers(made prune.Plan) (texts []string) {
	for _, with := range withs(made) {
		texts = append(texts, anyMarker.ReplaceAllString(with, ""))
	}
	return texts
}

// What is saved is reckoned from what is taken out, not from what stands around
// it: scripts differ in tokens per character.
func TestPrune_SavingsOfATrimmedTextAreThoseOfItsMiddle(t *testing.T) {
	t.Parallel()
	latin, han := strings.Repeat("so it is ", 167)[:1500], strings.Repeat("漢", 1500)
	for name, text := range map[string]string{
		"Latin between Han": han + latin + latin + han, "Han between Latin": latin + han + latin,
		"escaped": strings.ReplaceAll(latin, " ", "\t") + strings.Repeat("\"\\\u2028😀", 500) + latin, "JSON": `{"a":"` + latin + latin + latin,
	} {
		for _, api := range apis {
			body := rounds(text, "new").body(t, api)
			made, sent := plan(t, eager(), api, body)
			require.Equal(t, 1, made.Trimmed)
			before, err := conversation.Read(api, body)
			require.NoError(t, err)
			after, err := conversation.Read(api, sent)
			require.NoError(t, err)
			assert.InDelta(t, before.Tokens-after.Tokens, made.Saved, 6, "%s %s", name, api)
		}
	}
}
