package prune_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/prune"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// loop is a tool loop in Messages of so many calls, without the closing bracket.
// What is said beside the results stands in the same message.
func loop(calls int, beside string) string {
	var messages strings.Builder
	messages.WriteString(`{"messages":[{"role":"user","content":"make the tests pass"}`)
	for i := range calls {
		fmt.Fprintf(&messages, `,{"role":"assistant","content":[{"type":"tool_use","id":"%d","name":"bash","input":{}}]}`, i)
		fmt.Fprintf(&messages, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"%d","content":"%s"}%s]}`, i, strings.Repeat("line of output ", 150), beside)
	}
	return messages.String()
}

func shipped() *prune.Pruner { return prune.New(&configv1.Prune{Enabled: new(true)}) }

// A person who breaks off an answer before it has begun says something right
// behind the results, in the same message or in one of its own. What the request
// that was broken off had pruned stays pruned, though a loop may end here.
func TestPrune_WhatARequestThatWasBrokenOffHasPrunedStaysPruned(t *testing.T) {
	t.Parallel()
	api, cuts := conversation.AnthropicMessages, 0
	for calls := range 40 {
		before, _ := plan(t, shipped(), api, []byte(loop(calls, "")+`]}`))
		for name, body := range map[string]string{
			"own message":  loop(calls, "") + `,{"role":"user","content":"no, wait"}]}`,
			"two messages": loop(calls, "") + `,{"role":"user","content":"[interrupted]"},{"role":"user","content":"no, wait"}]}`,
			"reminded":     loop(calls, "") + `,{"role":"user","content":"<system-reminder>Be brief.</system-reminder>"}]}`,
			"system":       loop(calls, "") + `,{"role":"system","content":"Be brief."}]}`,
			"same message": strings.TrimSuffix(loop(calls, ""), "]}") + `,{"type":"text","text":"no, wait"}]}]}`,
		} {
			if calls == 0 && name == "same message" {
				continue
			}
			then, _ := plan(t, shipped(), api, []byte(body))
			require.GreaterOrEqual(t, len(then.Edits), len(before.Edits), "%s, %d calls", name, calls)
			require.Equal(t, before.Edits, then.Edits[:len(before.Edits)], "%s, %d calls", name, calls)
		}
		cuts = max(cuts, before.Cuts)
	}
	assert.Greater(t, cuts, 2)
}

// What a client puts in by itself is no person's, and the loop goes on.
func TestPrune_RemindersOfTheClientEndNoToolLoop(t *testing.T) {
	t.Parallel()
	api := conversation.AnthropicMessages
	const calls = 30
	plain, _ := plan(t, shipped(), api, []byte(loop(calls, "")+`]}`))
	reminded, _ := plan(t, shipped(), api, []byte(loop(calls, `,{"type":"text","text":"<system-reminder>Be brief.</system-reminder>"}`)+`]}`))
	require.Positive(t, plain.Cuts)
	require.InDelta(t, plain.Cuts, reminded.Cuts, 2)
	require.InDelta(t, plain.Saved, reminded.Saved, float64(plain.Saved)/4)
	spoken, _ := plan(t, shipped(), api, []byte(loop(calls, `,{"type":"text","text":"Be brief."}`)+`]}`))
	require.Zero(t, spoken.Cuts)
}

// What a client puts beside the newest results may be gone at its next call.
func TestPrune_RemindersThatComeAndGoUndoNothing(t *testing.T) {
	t.Parallel()
	api, cuts := conversation.AnthropicMessages, 0
	for calls := range 60 {
		reminder := `,{"type":"text","text":"<system-reminder>` + strings.Repeat("Be brief. ", 300) + `</system-reminder>"}`
		beside, _ := plan(t, shipped(), api, []byte(strings.TrimSuffix(loop(calls+1, ""), "]}")+reminder+"]}]}"))
		behind, _ := plan(t, shipped(), api, []byte(loop(calls+1, "")+`,{"role":"user","content":[`+reminder[1:]+`]}]}`))
		gone, _ := plan(t, shipped(), api, []byte(loop(calls+1, "")+"]}"))
		require.Equal(t, gone.Edits, beside.Edits, "%d calls", calls)
		require.Equal(t, gone.Edits, behind.Edits, "%d calls", calls)
		cuts = max(cuts, gone.Cuts)
	}
	assert.Greater(t, cuts, 2)
}
