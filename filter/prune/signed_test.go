package prune_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/conversation"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

const signature = "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds"

func TestPrune_NothingInFrontOfSignedThinkingIsTouched(t *testing.T) {
	t.Parallel()
	api := conversation.AnthropicMessages
	long := strings.Repeat("line of output\n", 100)
	c := rounds(long, long, long, "new")
	c[2].signed, c[3].signed = signature, signature // each with the results before it in front
	made, _ := plan(t, eager(replace), api, c.body(t, api))
	assert.Equal(t, 1, made.Replaced, "the third result stands behind both")
	made, _ = plan(t, eager(replace, func(cfg *configv1.Prune) { cfg.BeforeSealed = new("allow") }), api, c.body(t, api))
	assert.Equal(t, 3, made.Replaced)
}

// A block that was signed when results in front of it had been pruned already is
// sent behind the very bytes that it was made behind.
func TestPrune_SignedThinkingKeepsThePrefixItWasMadeUnder(t *testing.T) {
	t.Parallel()
	api := conversation.AnthropicMessages
	long := strings.Repeat("line of output\n", 100)
	c := rounds(long, long, "new")
	first, before := plan(t, eager(replace), api, c.body(t, api))
	assert.Equal(t, 2, first.Replaced)

	c = append(c, turn{says: "thought about it", signed: signature, results: []toolResult{{tool: "bash", text: long}}}, turn{says: "on", results: []toolResult{{tool: "bash", text: long}}})
	then, after := plan(t, eager(replace), api, c.body(t, api))
	assert.Equal(t, 3, then.Replaced, "the result of the signed turn itself stands behind it")
	prefix := strings.TrimSuffix(string(before), "]}")
	assert.True(t, strings.HasPrefix(string(after), prefix), "the signed turn is sent behind what it was made behind")
}
