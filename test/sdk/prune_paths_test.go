package sdk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/test/child"
)

// body is the whole of a session as a request for a model, with further
// parameters.
func (s session) body(t *testing.T, model string, more object) string {
	t.Helper()
	body, err := json.Marshal(with(with(object{"model": model, s.param: s.Turns}, s.More), more))
	require.NoError(t, err)
	return string(body)
}

// whole are the sessions with the paths that they go to.
func whole() map[string]session {
	return map[string]session{
		"/v1/chat/completions": chatSession(chatPicture), "/v1/responses": responsesSession(), "/v1/messages": messagesSession(0),
	}
}

// decide sends a request and returns what was decided and what arrived.
func (v visit) decide(t *testing.T, path, body string, header map[string]string) (*decision.Decision, taken) {
	t.Helper()
	_, id := v.send(t, request{path: path, body: body, header: header})
	d := v.record(t, id).GetDecision()
	all := v.arrivals("/")
	last := all[len(all)-1]
	assert.Equal(t, last.BodyLength, last.ContentLength)
	assert.True(t, last.Complete)
	param := "messages"
	if strings.Contains(path, "/responses") {
		param = "input"
	}
	return d, take(t, last.Body, param)
}

// renamed is a body with another model.
func renamed(t *testing.T, body, param, model string) string {
	t.Helper()
	at := take(t, []byte(body), param).model
	return body[:at.from] + strconv.Quote(model) + body[at.to:]
}

func TestPrune_R4_WhatPruningBringsUnderAWindowGoesToALargeModelWithoutIt(t *testing.T) {
	t.Parallel()
	for path, s := range whole() {
		body := s.body(t, "auto", nil)
		unpruned, arrived := shared.visit().decide(t, path, body, nil)
		assert.Equal(t, "large", unpruned.GetModel(), path)
		assert.Zero(t, unpruned.GetReplaced()+unpruned.GetTrimmed()+unpruned.GetTokensSaved()+unpruned.GetBytesSaved()+unpruned.GetCuts())
		assertSame(t, renamed(t, body, s.param, "large-2026"), string(arrived.body), path)

		for _, r := range []*rig{&pruning, &streaming} {
			pruned, _ := r.visit().decide(t, path, body, nil)
			assert.Contains(t, []string{"small", "medium"}, pruned.GetModel(), path)
			assert.Equal(t, unpruned.GetPromptTokens(), pruned.GetPromptTokens())
			assert.Less(t, pruned.GetExpectedCost(), unpruned.GetExpectedCost()/4)
		}
	}
}

// What is counted, or compacted, is what would be sent.
func TestPrune_CountingAndCompactingSeeTheConversationAsItWouldBeSent(t *testing.T) {
	t.Parallel()
	for path, beside := range map[string]string{"/v1/messages": "/v1/messages/count_tokens", "/v1/responses": "/v1/responses/compact"} {
		v, s := pruning.visit(), whole()[path]
		body := s.body(t, "large", nil)
		sent, arrived := v.decide(t, path, body, nil)
		other, seen := v.decide(t, beside, body, nil)
		assert.Positive(t, other.GetReplaced(), beside)
		assert.Equal(t, sent.GetReplaced(), other.GetReplaced())
		assert.Equal(t, sent.GetTokensSaved(), other.GetTokensSaved())
		assertSame(t, string(arrived.body), string(seen.body), beside)
	}
}

func TestPrune_WhatTheProviderHoldsOrPrunesArrivesWhole(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		path   string
		more   object
		pruned bool
	}{
		"a response before":           {"/v1/responses", object{"previous_response_id": "resp_1"}, false},
		"a conversation":              {"/v1/responses", object{"conversation": object{"id": "conv_1"}}, false},
		"compaction by the provider":  {"/v1/responses", object{"context_management": []any{object{"type": "compaction", "compact_threshold": 1000}}}, false},
		"what is too long is cut":     {"/v1/responses", object{"truncation": "auto"}, true},
		"clearing by the provider":    {"/v1/messages", object{"context_management": object{"edits": []any{object{"type": "clear_tool_uses_20250919"}}}}, false},
		"clearing thinking is no cut": {"/v1/messages", object{"context_management": object{"edits": []any{object{"type": "clear_thinking_20251015"}}}}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := whole()[test.path]
			body := s.body(t, "auto", test.more)
			d, arrived := pruning.visit().decide(t, test.path, body, nil)
			assert.Equal(t, test.pruned, d.GetReplaced()+d.GetTrimmed() > 0)
			assert.Equal(t, test.pruned, d.GetTokensSaved() > 0)
			assert.Equal(t, !test.pruned, renamed(t, body, s.param, d.GetUpstreamModel()) == string(arrived.body))
		})
	}
}

func TestPrune_InShadowEveryByteArrivesAndTheDecisionSaysWhatWouldBeSaved(t *testing.T) {
	t.Parallel()
	for path, s := range whole() {
		for _, r := range []*rig{&pruning, &streaming} {
			body := s.body(t, "large-2026", nil)
			d, arrived := r.visit().decide(t, path, body, nil)
			assertSame(t, body, string(arrived.body), path)
			assert.Equal(t, decision.ModeShadow, d.GetMode())
			assert.Equal(t, "large", d.GetModel())
			would, sent := r.visit().decide(t, path, s.body(t, "auto", nil), nil)
			assert.Equal(t, would.GetModel(), d.GetWouldSelect())
			assert.Equal(t, would.GetReplaced(), d.GetReplaced())
			assert.Equal(t, would.GetTrimmed(), d.GetTrimmed())
			assert.Equal(t, would.GetTokensSaved(), d.GetTokensSaved())
			assert.Equal(t, would.GetCuts(), d.GetCuts())
			assert.EqualValues(t, len(body)-len(renamed(t, string(sent.body), s.param, "large-2026")), d.GetBytesSaved())
		}
	}
}

// A client that names a model of the catalogue gets it, by either of its names,
// and less of what is old.
func TestPrune_APinnedModelGetsThePrunedConversation(t *testing.T) {
	t.Parallel()
	for path, s := range whole() {
		v := pruning.visit()
		auto, want := v.decide(t, path, s.body(t, "auto", nil), nil)
		for _, asked := range []string{"medium", "medium-2026"} {
			d, arrived := v.decide(t, path, s.body(t, asked, nil), nil)
			assert.Equal(t, "medium", d.GetModel())
			assert.Equal(t, decision.SourceOverride, d.GetSource())
			assert.Equal(t, auto.GetTokensSaved(), d.GetTokensSaved())
			assert.Equal(t, auto.GetBytesSaved(), d.GetBytesSaved())
			assertSame(t, renamed(t, string(want.body), s.param, "medium-2026"), string(arrived.body), path)
		}
	}
}

// Only this test asks for proofs, so that what Envoy counts for them is this
// test's alone.
func TestPrune_EnvoyCountsWhatIsSaved(t *testing.T) {
	t.Parallel()
	v := pruning.visit()
	hints := map[string]string{decision.HeaderHintTier: "reasoning", decision.HeaderHintCategory: "proof"}
	want := map[string]int64{}
	for path, s := range whole() {
		d, _ := v.decide(t, path, s.body(t, "auto", nil), hints)
		assert.Equal(t, "large", d.GetModel())
		shadowed, _ := v.decide(t, path, s.body(t, "large-2026", nil), hints)
		assert.Positive(t, shadowed.GetTokensSaved(), "it would be; nothing is saved in shadow mode")
		want["requests"] += 2
		want["prompt_tokens"] += int64(d.GetPromptTokens()) + int64(shadowed.GetPromptTokens())
		want["tokens_saved"] += int64(d.GetTokensSaved())
		want["bytes_saved"] += int64(d.GetBytesSaved())
		want["replaced"] += int64(d.GetReplaced())
		want["trimmed"] += int64(d.GetTrimmed())
	}
	require.NoError(t, child.Await(t.Context(), "Envoy counts what is saved", func(ctx context.Context) error {
		text, err := child.Fetch(ctx, "http://"+v.cfg.GetEnvoy().GetAdmin()+"/stats?filter=^pointsman\\..*category.proof")
		if err != nil {
			return err
		}
		counted := map[string]int64{}
		for _, found := range counter.FindAllSubmatch(text, -1) {
			counted[string(found[1])], _ = strconv.ParseInt(string(found[2]), 10, 64)
		}
		if !assert.ObjectsAreEqual(want, counted) {
			return fmt.Errorf("want %v, have %v in\n%s", want, counted, bytes.TrimSpace(text))
		}
		return nil
	}))
	for name, count := range want {
		assert.Positive(t, count, name)
	}
}

var counter = regexp.MustCompile(`(?m)^pointsman\.(\w+)\.model\.large\.tier\.reasoning\.category\.proof\.source\.override: (\d+)$`)
