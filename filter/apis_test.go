package filter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter"
)

const (
	responsesPath = "/v1/responses"
	compactPath   = "/v1/responses/compact"
	messagesPath  = "/v1/messages"
	countPath     = "/v1/messages/count_tokens"
)

func responsesOf(text string) string { return fmt.Sprintf(`{"model":"auto","input":%q}`, text) }

func messagesOf(text string) string {
	return fmt.Sprintf(`{"model":"auto","max_tokens":100,"messages":[{"role":"user","content":%q}]}`, text)
}

func TestDecideReadsEveryAPI(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	for path, c := range map[string]struct{ body, api, easy, hard string }{
		responsesPath: {responsesOf("%s"), "openai_responses", "small", "large"},
		compactPath:   {responsesOf("%s"), "openai_responses", "small", "medium"}, // the default model's family
		messagesPath:  {messagesOf("%s"), "anthropic_messages", "large", "large"}, // the only one that speaks it
		countPath:     {messagesOf("%s"), "anthropic_messages", "large", "large"},
	} {
		easy := send(pipeline, "POST", "/prefix"+path+"?beta=true", nil, strings.Replace(c.body, "%s", greeting, 1))
		require.Nil(t, easy.Answer, path)
		assert.Equal(t, []string{c.api, c.easy, "simple"}, []string{easy.Decision.GetApi(), easy.Decision.GetModel(), easy.Decision.GetTier()}, path)
		assert.Equal(t, strings.NewReplacer("%s", greeting, "auto", c.easy+"-2026").Replace(c.body), string(easy.Upstream()))
		hard := send(pipeline, "POST", path, nil, strings.Replace(c.body, "%s", design, 1))
		assert.Equal(t, []string{c.hard, "complex"}, []string{hard.Decision.GetModel(), hard.Decision.GetTier()}, path)
	}
}

func TestAdmitPassesAnAPIThatNoModelSpeaks(t *testing.T) {
	t.Parallel()
	pipeline := pipelineWith(t, "models", `
models:
  - {name: medium, upstream_model: m, cluster: provider-a, apis: [openai_chat_completions], tier: medium, context_window: 100000, price: {input: 1, output: 1}}
  - {name: large, upstream_model: l, cluster: provider-b, apis: [anthropic_messages], tier: medium, context_window: 100000, price: {input: 1, output: 1}}
`)
	for _, path := range []string{responsesPath, compactPath} {
		assert.True(t, send(pipeline, "POST", path, nil, "anything").PassedThrough, path)
	}
	assert.False(t, send(pipeline, "POST", messagesPath, nil, messagesOf("hi")).PassedThrough)
	assert.False(t, post(pipeline, nil, chat("auto", "user", "hi")).PassedThrough)
}

func TestDecideRefusesNoCountOfTokensForItsTokens(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	huge := map[string]string{"x-pointsman-hint-context": "5000000"}
	assert.Nil(t, send(pipeline, "POST", countPath, huge, messagesOf("hi")).Answer)
	refused := send(pipeline, "POST", messagesPath, huge, messagesOf("hi")).Answer
	require.NotNil(t, refused)
	assert.JSONEq(t, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 5000000 tokens > 952285 maximum"}}`,
		string(refused.Body))
}

func TestDecideSendsSealedReasoningToTheFamilyOfTheAPIsDefaultModel(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	for name, body := range map[string]string{
		"carried":   `{"model":"auto","input":[{"type":"reasoning","summary":[],"encrypted_content":"x"},{"role":"user","content":"` + design + `"}]}`,
		"asked for": `{"model":"auto","include":["reasoning.encrypted_content"],"input":"` + design + `"}`,
	} {
		d := send(pipeline, "POST", responsesPath, nil, body).Decision
		assert.Equal(t, "medium", d.GetModel(), name)
		assert.Contains(t, d.GetRequest().GetNeeds(), "sealed_reasoning", name)
		assert.Equal(t, "family b cannot read family a's sealed reasoning", d.GetCandidates()[2].GetReason(), name)
	}
	assert.Contains(t, send(pipeline, "POST", compactPath, nil, responsesOf("hi")).Decision.GetRequest().GetNeeds(), "sealed_reasoning")
}

const holding = `
clusters:
  - {name: provider-a, address: "127.0.0.1:18081"}
  - {name: provider-b, address: "127.0.0.1:18082", holds_state: true}
`

func TestDecideSendsHeldStateWhereItIsHeld(t *testing.T) {
	t.Parallel()
	for field, body := range map[string]string{
		"previous_response_id": `{"model":"auto","previous_response_id":"r","input":"hello"}`,
		"conversation":         `{"model":"auto","conversation":"c"}`,
		"input":                `{"model":"auto","input":[{"type":"item_reference","id":"i"},{"role":"user","content":"hello"}]}`,
	} {
		huge := map[string]string{"x-pointsman-hint-context": "5000000"}
		d := send(pipelineWith(t, "clusters", holding), "POST", responsesPath, huge, body).Decision
		assert.Equal(t, "large", d.GetModel(), "%s: and its window is not judged", field)

		refused := send(newPipeline(t, ""), "POST", responsesPath, nil, body).Answer
		require.NotNil(t, refused, field)
		assert.Equal(t, 400, refused.Status)
		assert.JSONEq(t, `{"error":{"message":"no model of auto can take this request: `+field+` refers to a part of the conversation that a provider holds, `+
			`and none of them is on a cluster marked holds_state: send the whole conversation",`+
			`"type":"invalid_request_error","param":"`+field+`","code":"unsupported_request"}}`, string(refused.Body))
	}
}

func TestDecideReadsABodyOnTheWrongPathAndKeepsThePathsAPI(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	for path, c := range map[string]struct{ body, api string }{
		chatPath:      {responsesOf(design), "openai_chat_completions"},
		responsesPath: {chat("auto", "user", design), "openai_responses"},
	} {
		v := send(pipeline, "POST", path, nil, c.body)
		require.Nil(t, v.Answer, path)
		assert.Equal(t, []string{c.api, "complex"}, []string{v.Decision.GetApi(), v.Decision.GetTier()}, path)
		assert.Equal(t, strings.Replace(c.body, `"auto"`, `"large-2026"`, 1), string(v.Upstream()))
	}
}

func TestAdmitListsModelsAsTheClientsAPIHasThem(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	list := func(headers map[string]string) filter.Verdict {
		return send(pipeline, "GET", "/v1/models?limit=20", headers, "")
	}
	assert.Contains(t, string(list(nil).Answer.Body), `"object":"list"`)
	assert.Contains(t, string(list(map[string]string{"anthropic-version": "2023-06-01"}).Answer.Body), `"first_id":"auto","last_id":"auto-fast"`)
}
