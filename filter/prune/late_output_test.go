package prune_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/conversation"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// In Responses an output may stand behind further calls, where a tool takes its
// time.
func TestPrune_AnExceptedToolsOutputIsKeptBehindOthersCalls(t *testing.T) {
	t.Parallel()
	late := `"call_id":"1","output":"` + strings.Repeat("line of output ", 100) + `"`
	body := `{"input":[{"type":"function_call","call_id":"1","name":"keep","arguments":"{}"},{"type":"function_call","call_id":"2","name":"f","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"2","output":"x"},{"type":"function_call","call_id":"3","name":"f","arguments":"{}"},` +
		`{"type":"function_call_output",` + late + `},{"type":"function_call_output","call_id":"3","output":"x"},` +
		`{"type":"function_call","call_id":"4","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"4","output":"x"}]}`
	p := eager(replace, func(cfg *configv1.Prune) { cfg.ExcludeTools = []string{"keep"} })
	_, sent := plan(t, p, conversation.OpenAIResponses, []byte(body))
	assert.Contains(t, string(sent), late)
}
