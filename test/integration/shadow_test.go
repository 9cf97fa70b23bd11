package integration

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/decision"
)

func TestShadow_TheProviderGetsWhatTheClientSent(t *testing.T) {
	t.Parallel()
	v := visiting(various(t))
	body := []byte(` {"z":1.0, "model" : "frontier-2026", "n":12345678901234567890,` +
		`"messages":[{"content":"Hello \u00e9 <b>","role":"user"}]}` + "\r\n")
	got := v.ask(t, body)
	assert.Equal(t, http.StatusOK, got.status, got.body)
	assert.Equal(t, "frontier", got.header.Get(decision.HeaderModel))
	assertBody(t, body, v.arrived(t, "plain"))

	record := v.record(t)
	assert.Equal(t, decision.KindAnswered, record.GetOutcome().GetKind())
	decided := record.GetDecision()
	assert.Equal(t, decision.ModeShadow, decided.GetMode())
	assert.Equal(t, "frontier", decided.GetModel())
	assert.Equal(t, "cheap", decided.GetWouldSelect())
	assert.Equal(t, "shadowed", decided.GetVirtualModel())
	assert.Equal(t, "simple", decided.GetTier())
}

func TestShadow_ARolloutSplitsSessionsOnceAndForAll(t *testing.T) {
	t.Parallel()
	const sessions, turns = 60, 2
	v := visiting(various(t))
	body := said("veteran-2024", greeting)
	enforced := 0
	for i := range sessions {
		headers := []string{"x-session-id", fmt.Sprintf("session-%d", i), "authorization", "Bearer of-the-client"}
		want := explained(t, v.Config, body, headers...)
		if want.Decision.GetMode() == decision.ModeEnforce {
			enforced++
		}
		for range turns {
			got := v.ask(t, body, headers...)
			assert.Equal(t, want.Decision.GetModel(), got.header.Get(decision.HeaderModel), "session %d", i)
		}
	}
	// 30% of 60, give or take four standard deviations.
	assert.InDelta(t, 18, enforced, 14)

	received := v.received(t)["plain"]
	assert.Len(t, received, sessions*turns)
	changed := 0
	for _, request := range received {
		if string(request.Body) != string(body) {
			assert.Equal(t, string(said("cheap-2026", greeting)), string(request.Body))
			changed++
		}
	}
	assert.Equal(t, enforced*turns, changed)

	modes := map[string]map[string]bool{}
	for _, record := range v.all(t, sessions*turns) {
		decided := record.GetDecision()
		if modes[decided.GetSession()] == nil {
			modes[decided.GetSession()] = map[string]bool{}
		}
		modes[decided.GetSession()][decided.GetMode()] = true
		assert.Equal(t, decided.GetMode() == decision.ModeShadow, decided.GetWouldSelect() == "cheap")
	}
	assert.Len(t, modes, sessions)
	for session, seen := range modes {
		assert.Len(t, seen, 1, "modes of session %s", session)
	}
}

func TestPassThrough_AnUnknownModelKeepsItsNameAndItsBytes(t *testing.T) {
	t.Parallel()
	v := visiting(various(t))
	body := []byte(` {"model":"gpt-9","x":1.0,"messages":[{"role":"user","content":"hi"}]} `)
	got := v.ask(t, body, decision.HeaderModel, "frontier", decision.HeaderPass, "mine", decision.HeaderHintTier, "simple")
	assert.Equal(t, http.StatusNotFound, got.status, "the provider does not know it")
	assert.Contains(t, got.body, `provider \"plain\" serves no model \"gpt-9\"`)
	assert.Empty(t, got.header.Get(decision.HeaderDecision))
	request := v.arrived(t, "plain")
	assertBody(t, body, request)
	assertClean(t, request)

	record := v.record(t)
	assert.Equal(t, decision.KindUpstreamError, record.GetOutcome().GetKind())
	assert.Nil(t, record.GetDecision())
}

func TestPassThrough_TheListOfModelsIsTheProvidersWhereItIsNotOurs(t *testing.T) {
	t.Parallel()
	v := visiting(various(t))
	got := do(t, http.DefaultClient, newRequest(t, http.MethodGet, v.base()+"/v1/models", nil, decision.HeaderModel, "frontier"))
	assert.Equal(t, http.StatusOK, got.status)
	assertClean(t, v.arrived(t, "plain"))
}
