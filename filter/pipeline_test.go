package filter_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/decision"
)

const chatPath = "/v1/chat/completions"

// chat is a body whose turns are given as role and text by turns.
func chat(model string, turns ...string) string {
	var messages []string
	for i := 0; i < len(turns); i += 2 {
		messages = append(messages, fmt.Sprintf(`{"role":%q,"content":%q}`, turns[i], turns[i+1]))
	}
	return fmt.Sprintf(`{"model":%q,"messages":[%s]}`, model, strings.Join(messages, ","))
}

func post(pipeline *filter.Pipeline, headers map[string]string, body string) filter.Verdict {
	return send(pipeline, "POST", chatPath, headers, body)
}

func setHeaders(v filter.Verdict) map[string]string {
	set := map[string]string{}
	for _, header := range v.Set {
		set[header.Name] = header.Value
	}
	return set
}

const (
	greeting = "hello"
	design   = "Design a multi-region, strongly consistent lease service: clock skew, failover, migration from the single-region one, back-pressure and a rollout plan."
)

func TestDecideRoutesByTheWork(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")

	easy := post(pipeline, nil, chat("auto", "user", greeting))
	assert.Equal(t, "small", easy.Decision.GetModel())
	assert.Equal(t, chat("small-2026", "user", greeting), string(easy.Upstream()))
	assert.Equal(t, decision.SourceClassifier, easy.Decision.GetSource())

	hard := post(pipeline, nil, chat("auto", "user", design))
	assert.Equal(t, "large", hard.Decision.GetModel())
	assert.Equal(t, "complex", hard.Decision.GetTier())
	assert.Less(t, easy.Decision.GetDifficulty(), hard.Decision.GetDifficulty())
}

func TestDecideSetsOrRemovesEveryOwnedHeader(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "unknown_models: pass_through\n")
	for name, v := range map[string]filter.Verdict{
		"routed":         post(pipeline, nil, chat("auto", "user", greeting)),
		"pinned":         post(pipeline, nil, chat("large", "user", greeting)),
		"passed through": post(pipeline, nil, chat("gpt-9", "user", greeting)),
		"another path":   send(pipeline, "POST", "/v1/files", nil, "x"),
	} {
		set := setHeaders(v)
		for _, owned := range decision.OwnedHeaders() {
			_, isSet := set[owned]
			assert.NotEqual(t, isSet, slices.Contains(v.Remove, owned), "%s: %s", name, owned)
		}
		for _, hint := range decision.HintHeaders() {
			assert.Contains(t, v.Remove, hint, name)
		}
	}
}

func TestDecideTellsEnvoyWhatWasDecided(t *testing.T) {
	t.Parallel()
	v := post(newPipeline(t, ""), nil, chat("auto", "user", greeting))
	assert.Equal(t, map[string]string{
		decision.HeaderModel:    "small",
		decision.HeaderCluster:  "provider-a",
		decision.HeaderDecision: v.Decision.GetId(),
		decision.HeaderTier:     "simple",
		decision.HeaderCategory: "chat",
	}, setHeaders(v))
}

func TestDecidePinsACatalogueModelWithoutClassifying(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	for _, name := range []string{"large", "large-2026"} {
		d := post(pipeline, nil, chat(name, "user", greeting)).Decision
		assert.Equal(t, "large", d.GetModel(), name)
		assert.Equal(t, decision.SourceOverride, d.GetSource())
		assert.Empty(t, d.GetTier())
		assert.Empty(t, d.GetCategory())
		assert.Empty(t, d.GetVirtualModel())
		assert.Zero(t, d.GetDifficulty())
	}
}

func TestDecideKeepsTheVeryBytesWhereTheModelIsRightAlready(t *testing.T) {
	t.Parallel()
	v := post(newPipeline(t, ""), nil, chat("large-2026", "user", greeting))
	assert.False(t, v.Changed())
	assert.Equal(t, chat("large-2026", "user", greeting), string(v.Upstream()))
}

func TestDecidePassesUnknownModelsThroughWhereConfigured(t *testing.T) {
	t.Parallel()
	v := post(newPipeline(t, "unknown_models: pass_through\n"), nil, chat("gpt-9", "user", greeting))
	assert.True(t, v.PassedThrough)
	assert.False(t, v.Changed())
	assert.Equal(t, chat("gpt-9", "user", greeting), string(v.Upstream()))
	assert.Equal(t, map[string]string{decision.HeaderPass: "1"}, setHeaders(v))
}

func TestDecideGivesARequestWithoutAModelTheConfiguredOne(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "missing_model: auto\n")
	for body, upstream := range map[string]string{
		`{"messages":[{"role":"user","content":"hello"}]}`:                `{"model":"small-2026","messages":[{"role":"user","content":"hello"}]}`,
		`{"model": null, "messages":[{"role":"user","content":"hello"}]}`: `{"model": "small-2026", "messages":[{"role":"user","content":"hello"}]}`,
		`{"model":[7],"messages":[{"role":"user","content":"hello"}]}`:    `{"model":"small-2026","messages":[{"role":"user","content":"hello"}]}`,
	} {
		v := post(pipeline, nil, body)
		require.Nil(t, v.Answer)
		assert.Equal(t, upstream, string(v.Upstream()))
		assert.Equal(t, "auto", v.Decision.GetVirtualModel())
	}
}

func TestDecideTakesHintsAsTheyAre(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	both := map[string]string{"x-pointsman-hint-tier": "reasoning", "x-pointsman-hint-category": "proof"}
	d := post(pipeline, both, chat("auto", "user", greeting)).Decision
	assert.Equal(t, []string{"reasoning", "proof", decision.SourceOverride, ""},
		[]string{d.GetTier(), d.GetCategory(), d.GetSource(), d.GetHinted()})
	assert.InDelta(t, 0.875, d.GetDifficulty(), 1e-9)

	d = post(pipeline, map[string]string{"x-pointsman-hint-tier": "complex"}, chat("auto", "user", greeting)).Decision
	assert.Equal(t, []string{"complex", "chat", decision.SourceClassifier, "tier"},
		[]string{d.GetTier(), d.GetCategory(), d.GetSource(), d.GetHinted()})
}

func TestDecideIgnoresHintsWhereDenied(t *testing.T) {
	t.Parallel()
	v := post(newPipeline(t, "hints: deny\n"), map[string]string{"x-pointsman-hint-tier": "nonsense"}, chat("auto", "user", greeting))
	require.Nil(t, v.Answer)
	assert.Equal(t, "simple", v.Decision.GetTier())
	assert.Contains(t, v.Remove, "x-pointsman-hint-tier")
}

func TestDecide_R4_HintedContextIsAFloorUnderTheMeasured(t *testing.T) {
	t.Parallel()
	d := post(newPipeline(t, ""), map[string]string{"x-pointsman-hint-context": "500000"}, chat("auto", "user", greeting)).Decision
	assert.Equal(t, "large", d.GetModel(), "the only window that holds it")
	assert.Equal(t, int32(500_000), d.GetRequest().GetContextHintTokens())
	assert.Less(t, d.GetPromptTokens(), int32(100), "what was measured stays what was measured")
}

func TestDecide_R1_AFollowUpAfterAToolLoopInheritsTheHumansWork(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	session := `{"model":"auto","messages":[
		{"role":"user","content":"` + design + `"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"ls","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"1","content":"a.go"},
		{"role":"user","content":"yes, go ahead"}]}`
	d := post(pipeline, nil, session).Decision
	assert.Equal(t, "complex", d.GetTier())
	assert.Equal(t, int32(len(design)), d.GetFraming().GetPriorChars())
}

func TestDecide_R1_NothingInAToolLoopMovesTheAnswer(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	loop := `{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"sh","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"Prove that every even number above two is the sum of two primes."}`
	before := post(pipeline, nil, `{"model":"auto","messages":[{"role":"user","content":"list the files"}]}`).Decision
	after := post(pipeline, nil, `{"model":"auto","messages":[{"role":"user","content":"list the files"},`+loop+`,`+loop+`]}`).Decision
	assert.Equal(t, before.GetTier(), after.GetTier())
	assert.Equal(t, before.GetCategory(), after.GetCategory())
	assert.InDelta(t, before.GetDifficulty(), after.GetDifficulty(), 0)
}

func TestDecide_R2_TheSystemPromptFramesNothing(t *testing.T) {
	t.Parallel()
	d := post(newPipeline(t, ""), nil, chat("auto", "system", design, "user", "yes, go ahead")).Decision
	assert.Zero(t, d.GetFraming().GetPriorChars())
	assert.NotEqual(t, "complex", d.GetTier())
}

func TestDecide_R9_WithoutFramingTheMessageStandsAlone(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "classifier: {context_framing: false}\n")
	d := post(pipeline, nil, chat("auto", "user", design, "assistant", "Shall I?", "user", "yes, go ahead")).Decision
	assert.Zero(t, d.GetFraming().GetPriorChars())
	assert.NotEqual(t, "complex", d.GetTier())
}

func TestDecideFallsBackWhereThereIsNothingToClassify(t *testing.T) {
	t.Parallel()
	d := post(newPipeline(t, ""), nil, `{"model":"auto","messages":[]}`).Decision
	assert.Equal(t, []string{"medium", decision.SourceFallback}, []string{d.GetTier(), d.GetSource()})
	assert.InDelta(t, 0.375, d.GetDifficulty(), 1e-9)
}

func TestDecideListsEveryCandidate(t *testing.T) {
	t.Parallel()
	d := post(newPipeline(t, ""), nil, chat("auto", "user", design)).Decision
	require.Len(t, d.GetCandidates(), 3)
	assert.Equal(t, "tier simple is below complex", d.GetCandidates()[0].GetReason())
	assert.Equal(t, "tier medium is below complex", d.GetCandidates()[1].GetReason())
	assert.Empty(t, d.GetCandidates()[2].GetReason())
	assert.InDelta(t, d.GetExpectedCost(), d.GetCandidates()[2].GetCost(), 0)
}

func TestDecideClampsTheTierOfAVirtualModel(t *testing.T) {
	t.Parallel()
	d := post(newPipeline(t, ""), nil, chat("auto-fast", "user", design)).Decision
	assert.Equal(t, []string{"complex", "medium", "medium"}, []string{d.GetTier(), d.GetRequiredTier(), d.GetModel()})
}

const shadowing = `
virtual_models:
  - {name: watched, aliases: ["*-2026"], mode: shadow}
  - {name: auto}
`

// shadowPipeline is the example configuration with other virtual models.
func shadowPipeline(t *testing.T, virtualModels string) *filter.Pipeline {
	t.Helper()
	return pipelineWith(t, "virtual_models", virtualModels)
}

func TestShadowSendsTheClientsOwnBytesAndRecordsTheSelection(t *testing.T) {
	t.Parallel()
	pipeline := shadowPipeline(t, shadowing)
	body := ` {"model" : "large-2026" , "messages":[{"role":"user","content":"hello"}],"seed":1.0}`
	v := post(pipeline, nil, body)
	assert.False(t, v.Changed())
	assert.Equal(t, body, string(v.Upstream()))
	assert.Equal(t, []string{"shadow", "large", "large-2026", "small"},
		[]string{v.Decision.GetMode(), v.Decision.GetModel(), v.Decision.GetUpstreamModel(), v.Decision.GetWouldSelect()})
}

func TestShadowRefusesOnlyWhatNoCatalogueModelIsAskedIn(t *testing.T) {
	t.Parallel()
	pipeline := shadowPipeline(t, shadowing)
	v := post(pipeline, nil, chat("gpt-2026", "user", greeting))
	require.NotNil(t, v.Answer)
	assert.Equal(t, 404, v.Answer.Status)
	assert.Contains(t, string(v.Answer.Body), "shadow mode")

	tooMuch := map[string]string{"x-pointsman-hint-context": "90000000"}
	v = post(pipeline, tooMuch, chat("small-2026", "user", greeting))
	require.Nil(t, v.Answer, "shadow mode breaks nothing that works without it")
	assert.Empty(t, v.Decision.GetWouldSelect())
	assert.NotEmpty(t, v.Decision.GetCandidates()[0].GetReason())
}

func TestRolloutSplitsSessionsStably(t *testing.T) {
	t.Parallel()
	pipeline := shadowPipeline(t, `
virtual_models:
  - {name: watched, aliases: ["*-2026"], mode: shadow, rollout_percent: 30}
`)
	enforced := 0
	for i := range 1000 {
		headers := map[string]string{"x-session-id": strconv.Itoa(i)}
		first := post(pipeline, headers, chat("large-2026", "user", greeting)).Decision
		later := post(pipeline, headers, chat("large-2026", "user", greeting, "assistant", "Hi.", "user", design)).Decision
		assert.Equal(t, first.GetMode(), later.GetMode())
		if first.GetMode() == decision.ModeEnforce {
			enforced++
		}
	}
	assert.InDelta(t, 300, enforced, 50)
}

func TestSessionsOfTwoCredentialsAreTwo(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	key := func(credential string) string {
		headers := map[string]string{"x-session-id": "s", "authorization": credential}
		return post(pipeline, headers, chat("auto", "user", greeting)).Decision.GetSession()
	}
	assert.NotEmpty(t, key("Bearer a"))
	first := key("Bearer a")
	assert.Equal(t, first, key("Bearer a"))
	assert.NotEqual(t, first, key("Bearer b"))
}

func TestPrincipalComesFromWhereTheConfigurationSays(t *testing.T) {
	t.Parallel()
	headers := map[string]string{"x-team": "blue", "metadata:jwt/team": "green"}
	body := chat("auto", "user", greeting)
	assert.Empty(t, post(newPipeline(t, ""), headers, body).Decision.GetPrincipal())
	assert.Equal(t, "blue", post(newPipeline(t, "principal: {header: x-team}\n"), headers, body).Decision.GetPrincipal())
	assert.Equal(t, "green",
		post(newPipeline(t, "principal: {metadata: {namespace: jwt, key: team}}\n"), headers, body).Decision.GetPrincipal())
}

// Names of content codings have no case (RFC 9110, 8.4.1).
func TestAdmitTakesIdentityInAnyCaseForNoEncoding(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	for _, encoding := range []string{"", "identity", "Identity", "IDENTITY"} {
		v := post(pipeline, map[string]string{"content-encoding": encoding}, chat("auto", "user", greeting))
		assert.Nil(t, v.Answer, encoding)
	}
	assert.Equal(t, 415, post(pipeline, map[string]string{"content-encoding": "GZIP"}, "").Answer.Status)
}

func TestDecisionHoldsNoPromptText(t *testing.T) {
	t.Parallel()
	const secret = "the codeword is xylophone"
	d := post(newPipeline(t, ""), nil, chat("auto", "system", secret, "user", secret, "assistant", secret, "user", secret)).Decision
	text, err := decision.JSON(d)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "xylophone")
}

func TestDecisionSurvivesItsWayThroughMetadata(t *testing.T) {
	t.Parallel()
	d := post(newPipeline(t, ""), nil, chat("auto", "user", design)).Decision
	var carried structpb.Struct
	require.NoError(t, proto.Unmarshal(decision.Metadata(d), &carried))
	back, err := decision.FromMetadata(carried.GetFields()[decision.Namespace].GetStructValue())
	require.NoError(t, err)
	want, err := decision.JSON(d)
	require.NoError(t, err)
	got, err := decision.JSON(back)
	require.NoError(t, err)
	assert.JSONEq(t, string(want), string(got))
}

func TestEveryDecisionHasAnIDOfItsOwn(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, "")
	seen := map[string]bool{}
	for range 100 {
		seen[post(pipeline, nil, chat("auto", "user", greeting)).Decision.GetId()] = true
	}
	assert.Len(t, seen, 100)
}
