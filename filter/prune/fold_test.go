package prune_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/prune"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// generated is a conversation by a seed: loops of tool calls after human turns,
// with results of all sizes and forms.
func generated(seed uint64) talk {
	rng := rand.New(rand.NewPCG(seed, 1))
	made := talk{{human: "please fix it"}}
	for range 1 + rng.IntN(30) {
		switch {
		case rng.IntN(9) == 0:
			made = append(made, turn{says: "done"}, turn{human: "and now the other one"})
		default:
			next := turn{says: words(rng, 60)}
			if rng.IntN(30) == 0 {
				next.signed = signature
			}
			for range 1 + rng.IntN(3) {
				next.results = append(next.results, someResult(rng))
			}
			made = append(made, next)
		}
	}
	return made
}

func someResult(rng *rand.Rand) toolResult {
	made := toolResult{tool: []string{"bash", "read_file", "look"}[rng.IntN(3)], isError: rng.IntN(8) == 0}
	if rng.IntN(4) > 0 {
		made.text = words(rng, 1<<(2+rng.IntN(11)))
		return made
	}
	made.parts = []part{}
	for range rng.IntN(4) {
		switch rng.IntN(3) {
		case 0:
			made.parts = append(made.parts, part{kind: []string{"image", "document"}[rng.IntN(2)]})
		default:
			made.parts = append(made.parts, part{text: words(rng, 1<<(2+rng.IntN(11)))})
		}
	}
	return made
}

// words is a text of about so many characters.
func words(rng *rand.Rand, chars int) string {
	some := []string{"error ", "at line 12\n", "\"quoted\" ", "gemäß ", "漢字 ", "😀 ", "\\path\\to ", "a\tb ", "ok. "}
	var text strings.Builder
	for text.Len() < chars {
		text.WriteString(some[rng.IntN(len(some))])
	}
	return text.String()
}

// policies are those that the properties are held against.
func policies() map[string]*prune.Pruner {
	return map[string]*prune.Pruner{
		"eager":    eager(replace),
		"trimming": eager(func(cfg *configv1.Prune) { cfg.KeepLastRounds = proto.Int32(2) }),
		"shipped":  prune.New(&configv1.Prune{Enabled: new(true), BudgetTokens: proto.Int32(0), MinSavingsTokens: proto.Int32(50)}),
		"budget":   eager(func(cfg *configv1.Prune) { cfg.BudgetTokens = proto.Int32(4000) }),
	}
}

const conversations = 20

// everyPlan plans generated conversations in every API and by every policy.
func everyPlan(t *testing.T, check func(t *testing.T, api conversation.API, p *prune.Pruner, c talk, body []byte)) {
	t.Helper()
	for name, p := range policies() {
		for _, api := range apis {
			t.Run(fmt.Sprint(name, " ", api), func(t *testing.T) {
				t.Parallel()
				for seed := range uint64(conversations) {
					c := generated(seed)
					check(t, api, p, c, c.body(t, api))
				}
			})
		}
	}
}

func TestPrune_NothingButToolResultsChanges(t *testing.T) {
	t.Parallel()
	everyPlan(t, func(t *testing.T, api conversation.API, p *prune.Pruner, _ talk, body []byte) {
		t.Helper()
		_, sent := plan(t, p, api, body)
		if diff := cmp.Diff(outside(t, api, body), outside(t, api, sent)); diff != "" {
			t.Fatalf("something else than a tool result changed:\n%s", diff)
		}
	})
}

// outside is a body, decoded, with what tool results came to taken out. Their
// ids, markers and unknown members stay, and so does their form.
func outside(t *testing.T, api conversation.API, body []byte) any {
	t.Helper()
	var whole any
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	require.NoError(t, dec.Decode(&whole))
	return stripped(api, whole)
}

func stripped(api conversation.API, value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = stripped(api, v[i])
		}
	case map[string]any:
		for key := range v {
			if holdsResult(api, v, key) {
				v[key] = formOf(v[key])
			} else {
				v[key] = stripped(api, v[key])
			}
		}
	}
	return value
}

func holdsResult(api conversation.API, of map[string]any, key string) bool {
	switch api {
	case conversation.OpenAIChat:
		return of["role"] == "tool" && key == "content"
	case conversation.AnthropicMessages:
		return of["type"] == "tool_result" && key == "content"
	default:
		return of["type"] == "function_call_output" && key == "output"
	}
}

// formOf is what stays of a result: that it is a text, or how many parts it has.
func formOf(result any) any {
	if parts, ok := result.([]any); ok {
		return len(parts)
	}
	return "text"
}

func TestPrune_R3_NothingGetsLongerAndSavingsAreNeverNegative(t *testing.T) {
	t.Parallel()
	everyPlan(t, func(t *testing.T, api conversation.API, p *prune.Pruner, _ talk, body []byte) {
		t.Helper()
		made, sent := plan(t, p, api, body)
		before, err := conversation.Read(api, body)
		require.NoError(t, err)
		after, err := conversation.Read(api, sent)
		require.NoError(t, err)
		require.GreaterOrEqual(t, made.Saved, 0)
		require.LessOrEqual(t, after.Tokens, before.Tokens)
		// What is reckoned is what is saved, to a token or two for each text.
		require.InDelta(t, before.Tokens-after.Tokens, made.Saved, 2+0.1*float64(made.Saved)+3*float64(len(made.Edits)))
		for _, edit := range made.Edits {
			require.Less(t, len(edit.With), edit.Span.Len())
		}
	})
}

// The plan at one call extends the plan at the call before, so that the bytes in
// front of what is newly pruned are those that were sent before.
func TestPrune_PlansExtendEachOther(t *testing.T) {
	t.Parallel()
	everyPlan(t, func(t *testing.T, api conversation.API, p *prune.Pruner, c talk, _ []byte) {
		t.Helper()
		var earlier prune.Plan
		var sentEarlier []byte
		for n := 1; n <= len(c); n++ {
			if n < len(c) && c[n].human != "" && c[n-1].human == "" && len(c[n-1].results) == 0 {
				continue // no request ends in what the assistant says
			}
			body := c[:n].body(t, api)
			made, sent := plan(t, p, api, body)
			require.GreaterOrEqual(t, len(made.Edits), len(earlier.Edits))
			var kept []conversation.Edit
			fresh := len(body)
			for _, edit := range made.Edits {
				if at := indexOf(earlier.Edits, edit); at >= 0 {
					kept = append(kept, edit)
				} else {
					fresh = min(fresh, edit.Span.Start)
				}
			}
			require.Equal(t, earlier.Edits, kept, "what was pruned stays pruned, in the same way")
			if len(sentEarlier) > 0 {
				upTo := min(fresh-removedBefore(made.Edits, fresh), len(sentEarlier)-len("]}"))
				require.True(t, bytes.Equal(sentEarlier[:upTo], sent[:upTo]), "the bytes in front of what is newly pruned are those of before")
			}
			require.LessOrEqual(t, made.Cuts-earlier.Cuts, 1+n) // cuts only grow
			if len(kept) < len(made.Edits) {
				require.Greater(t, made.Cuts, earlier.Cuts, "a broken prefix is counted")
			}
			earlier, sentEarlier = made, sent
		}
	})
}

func indexOf(edits []conversation.Edit, edit conversation.Edit) int {
	for i := range edits {
		if edits[i].Span == edit.Span && bytes.Equal(edits[i].With, edit.With) {
			return i
		}
	}
	return -1
}

// removedBefore is by how much a place moves to the front.
func removedBefore(edits []conversation.Edit, place int) int {
	moved := 0
	for _, edit := range edits {
		if edit.Span.End <= place {
			moved += edit.Span.Len() - len(edit.With)
		}
	}
	return moved
}

// Neither system text nor tool definitions nor markers of the prompt cache, which
// change from call to call, move the plan.
func TestPrune_WhatChangesFromCallToCallHasNoPartInThePlan(t *testing.T) {
	t.Parallel()
	everyPlan(t, func(t *testing.T, api conversation.API, p *prune.Pruner, c talk, body []byte) {
		t.Helper()
		made, _ := plan(t, p, api, body)
		system := map[conversation.API]string{
			conversation.OpenAIChat: `"messages":[{"role":"system","content":"%s"},`, conversation.AnthropicMessages: `"system":"%s","messages":[`,
			conversation.OpenAIResponses: `"instructions":"%s","input":[`,
		}[api]
		param := map[conversation.API]string{conversation.OpenAIResponses: `"input":[`}[api]
		if param == "" {
			param = `"messages":[`
		}
		text := fmt.Sprintf(system, strings.Repeat("be good. ", 4000))
		changed := strings.Replace(string(body), param, `"tools":[{"type":"function","name":"`+strings.Repeat("f", 9000)+`"}],`+text, 1)
		changed = strings.ReplaceAll(changed, `"input":{}}`, `"input":{},"cache_control":{"type":"ephemeral"}}`)
		then, _ := plan(t, p, api, []byte(changed))
		require.Equal(t, withs(made), withs(then))
		require.Equal(t, made.Saved, then.Saved)
	})
}

func withs(made prune.Plan) []string {
	texts := make([]string, 0, len(made.Edits))
	for _, edit := range made.Edits {
		texts = append(texts, string(edit.With))
	}
	return texts
}

// Two processes make the same plans: maps are not ordered and floating point is
// not reckoned with.
func TestPrune_TwoProcessesPlanTheSame(t *testing.T) {
	if os.Getenv("POINTSMAN_PLAN_DIGEST") != "" {
		t.Log("digest", digest(t))
		return
	}
	t.Parallel()
	again := exec.Command(os.Args[0], "-test.run=^TestPrune_TwoProcessesPlanTheSame$", "-test.v")
	again.Env = append(os.Environ(), "POINTSMAN_PLAN_DIGEST=1")
	out, err := again.Output()
	require.NoError(t, err)
	assert.Contains(t, string(out), fmt.Sprint("digest ", digest(t), "\n"))
}

func digest(t *testing.T) uint64 {
	t.Helper()
	sum := fnv.New64a()
	for _, name := range []string{"eager", "trimming", "shipped", "budget"} {
		p := policies()[name]
		for seed := range uint64(40) {
			for _, api := range apis {
				_, sent := plan(t, p, api, generated(seed).body(t, api))
				_, _ = sum.Write(sent)
			}
		}
	}
	return sum.Sum64()
}
