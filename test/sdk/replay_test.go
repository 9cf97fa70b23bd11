package sdk

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// A request is one of an agent's session, and what is to become of it.
type request struct {
	path   string // with its query
	asked  string // the model's name
	body   string // with the name in it, once
	coding string // of the body; empty: none
	header map[string]string

	model, tier, category string
}

// hard is what a human asks for where the best model is needed. The same words
// in a reminder or a tool's output ask for nothing.
const hard = "Design a multi-region, strongly consistent lease service: clock skew, failover, migration from the " +
	"single-region one, back-pressure and a rollout plan."

// replay sends a request as its agent does, holds what the provider and the
// agent got against it, and returns what was decided.
func (v visit) replay(t *testing.T, r request) *routerv1.Decision {
	t.Helper()
	require.Equal(t, 1, strings.Count(r.body, `"`+r.asked+`"`))
	before := len(v.to(r.model))
	answer, id := v.send(t, r)
	d := v.record(t, id).GetDecision()
	assert.Equal(t, r.model, d.GetModel())
	assert.Equal(t, r.tier, d.GetTier())
	assert.Equal(t, r.category, d.GetCategory())
	assert.Equal(t, r.asked, d.GetRequestedModel())
	assert.Equal(t, "coder", d.GetVirtualModel())

	arrived := v.to(r.model)
	require.Len(t, arrived, before+1, "requests to the cluster of %s", r.model)
	got := arrived[before]
	assert.Equal(t, strings.Replace(r.body, r.asked, v.cfg.Model(r.model).GetUpstreamModel(), 1), string(got.body))
	assert.Equal(t, v.mark+r.path, got.path)
	assert.Equal(t, string(got.answer), answer)
	for name, value := range r.header {
		assert.Equal(t, value, got.header.Get(name), name)
	}
	assert.Empty(t, got.header.Get("content-encoding"), "the body is plain now")
	return d
}

// An arrival is what a provider got and said.
type arrival struct {
	path         string
	header       http.Header
	body, answer []byte
}

// to is what has reached the provider of a model.
func (v visit) to(model string) (all []arrival) {
	for _, got := range v.received()[v.cfg.Model(model).GetCluster()] {
		all = append(all, arrival{got.Path, got.Headers, got.Body, got.Answer})
	}
	return all
}

// send returns the answer, whole, and the decision's id.
func (v visit) send(t *testing.T, r request) (answer, id string) {
	t.Helper()
	body := []byte(r.body)
	if r.coding == "zstd" {
		body = zstandard(t, body)
	}
	sent, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.base()+r.path, bytes.NewReader(body))
	require.NoError(t, err)
	sent.Header.Set("content-type", "application/json")
	if r.coding != "" {
		sent.Header.Set("content-encoding", r.coding)
	}
	for name, value := range r.header {
		sent.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(sent)
	require.NoError(t, err)
	defer func() { assert.NoError(t, response.Body.Close()) }()
	got, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s", got)
	return string(got), response.Header.Get(decision.HeaderDecision)
}

// assertSealed holds that only the family of the API's default model was
// considered for a request.
func assertSealed(t *testing.T, d *routerv1.Decision) {
	t.Helper()
	assert.Contains(t, d.GetRequest().GetNeeds(), "sealed_reasoning")
	reasons := map[string]string{}
	for _, candidate := range d.GetCandidates() {
		reasons[candidate.GetModel()] = candidate.GetReason()
	}
	for _, model := range []string{"small", "medium"} {
		assert.Equal(t, "family a cannot read family b's sealed reasoning", reasons[model], model)
	}
}
