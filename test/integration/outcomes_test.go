package integration

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
	"github.com/pointsman/pointsman/test/provider"
)

// unreachable is what a client of an LLM path reads where its provider broke
// off before it answered.
const unreachable = `{"error":{"message":"the model provider cannot be reached: try again later",` +
	`"type":"server_error","param":null,"code":"upstream_unavailable"}}`

func TestOutcome_Answered(t *testing.T) {
	t.Parallel()
	const delay = 300 * time.Millisecond
	for _, body := range [][]byte{said("auto", greeting), streamed(greeting)} {
		v := visiting(shared(t))
		got := v.ask(t, body, provider.HeaderDelay, delay.String())
		assert.Equal(t, http.StatusOK, got.status)
		record := v.record(t)
		assert.Equal(t, got.header.Get(decision.HeaderDecision), record.GetDecision().GetId())
		outcome := record.GetOutcome()
		assert.Equal(t, decision.KindAnswered, outcome.GetKind())
		assert.EqualValues(t, http.StatusOK, outcome.GetStatus())
		assert.Equal(t, "via_upstream", outcome.GetDetails())
		assert.Empty(t, outcome.GetFlags())
		assert.EqualValues(t, 1, outcome.GetAttempts())
		assert.Equal(t, "provider-a", outcome.GetUpstreamCluster())
		assert.InDelta(t, len(body), outcome.GetRequestBytes(), 0)
		assert.InDelta(t, len(got.body), outcome.GetResponseBytes(), 0)
		assertTimes(t, outcome)
		assert.Greater(t, outcome.GetFirstByteMs(), outcome.GetAddedMs()+300)
		assert.WithinDuration(t, time.Now(), outcome.GetStartTime().AsTime(), time.Minute)
	}
}

// assertTimes holds what is true of every request that pointsman had a part in.
func assertTimes(t *testing.T, outcome *routerv1.Outcome) {
	t.Helper()
	assert.Positive(t, outcome.GetAddedMs())
	assert.Less(t, outcome.GetAddedMs(), outcome.GetDurationMs())
	assert.LessOrEqual(t, outcome.GetFirstByteMs(), outcome.GetDurationMs())
}

func TestOutcome_UpstreamError(t *testing.T) {
	t.Parallel()
	for status, wanted := range map[string]struct{ status, attempts int }{"500": {500, 1}, "429": {429, 1}, "503": {503, 3}} {
		v := visiting(shared(t))
		got := v.ask(t, said("auto", greeting), provider.HeaderStatus, status)
		assert.Equal(t, wanted.status, got.status)
		assert.Contains(t, got.body, "told to answer "+status, "the provider's own words")
		record := v.record(t)
		assert.NotNil(t, record.GetDecision())
		outcome := record.GetOutcome()
		assert.Equal(t, decision.KindUpstreamError, outcome.GetKind())
		assert.EqualValues(t, wanted.status, outcome.GetStatus())
		assert.EqualValues(t, wanted.attempts, outcome.GetAttempts(), "only what says that it is not serving is tried again")
		assert.Len(t, v.received(t)["provider-a"], wanted.attempts)
		assertTimes(t, outcome)
	}
}

func TestOutcome_ImmediateResponse(t *testing.T) {
	t.Parallel()
	for model, details := range map[string]string{"gpt-9": "pointsman_model_not_found", `","x":"`: "pointsman_model_not_found"} {
		v := visiting(shared(t))
		assert.Equal(t, http.StatusNotFound, v.ask(t, said(model, greeting)).status)
		record := v.record(t)
		assert.Nil(t, record.GetDecision())
		assert.Equal(t, decision.KindImmediateResponse, record.GetOutcome().GetKind())
		assert.Equal(t, details, record.GetOutcome().GetDetails())
		assert.EqualValues(t, http.StatusNotFound, record.GetOutcome().GetStatus())
		assert.Zero(t, record.GetOutcome().GetAttempts())
		assertTimes(t, record.GetOutcome())
	}
}

func TestOutcome_ClientGone(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body  []byte
		until func(*testing.T, visit, io.Reader)
	}{
		"in the middle of a stream": {streamed(greeting), func(t *testing.T, _ visit, stream io.Reader) {
			t.Helper()
			for lines := bufio.NewReader(stream); ; {
				line, err := lines.ReadString('\n')
				require.NoError(t, err)
				if strings.Contains(line, "small-2026 ") {
					return
				}
			}
		}},
		"before the answer": {said("auto", greeting), nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := visiting(shared(t))
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			request := v.request(t, test.body, provider.HeaderHoldStream, v.mark)
			if test.until == nil {
				request.Header.Set(provider.HeaderHoldAnswer, v.mark)
				go v.leaveOnceArrived(t, leave)
			}
			response, err := http.DefaultClient.Do(request.WithContext(ctx))
			if test.until != nil {
				require.NoError(t, err)
				defer func() { _ = response.Body.Close() }()
				test.until(t, v, response.Body)
			} else {
				require.ErrorIs(t, err, context.Canceled)
			}
			leave()

			record := v.record(t)
			assert.NotNil(t, record.GetDecision())
			outcome := record.GetOutcome()
			assert.Equal(t, decision.KindClientGone, outcome.GetKind())
			assert.Equal(t, []string{"DC"}, outcome.GetFlags())
			assertTimes(t, outcome)
			await(t, pollInterval, "the provider to be told", func() bool { return v.arrived(t, "provider-a").Aborted })
		})
	}
}

// leaveOnceArrived calls leave when the visit's request is at the provider.
func (v visit) leaveOnceArrived(t *testing.T, leave func()) {
	t.Helper()
	defer leave()
	for t.Context().Err() == nil {
		found, err := v.Providers["provider-a"].Requests(t.Context(), v.mark+"/")
		if err != nil || len(found) > 0 && found[0].Complete {
			return
		}
		time.Sleep(pollInterval)
	}
}

func TestOutcome_UpstreamReset(t *testing.T) {
	t.Parallel()
	t.Run("before it answered", func(t *testing.T) {
		t.Parallel()
		v := visiting(shared(t))
		v.ask(t, said("auto", greeting), provider.HeaderFault, provider.FaultReset).isProblem(t, http.StatusServiceUnavailable, unreachable)
		outcome := v.record(t).GetOutcome()
		assert.Equal(t, decision.KindUpstreamReset, outcome.GetKind())
		assert.EqualValues(t, http.StatusServiceUnavailable, outcome.GetStatus())
		assert.Equal(t, []string{"UC"}, outcome.GetFlags())
		assert.EqualValues(t, 1, outcome.GetAttempts(), "a model may have worked on it")
		assert.Len(t, v.received(t)["provider-a"], 1)
		assertTimes(t, outcome)
	})
	t.Run("in the middle of its answer", func(t *testing.T) {
		t.Parallel()
		v := visiting(shared(t))
		response, err := http.DefaultClient.Do(v.request(t, streamed(greeting), provider.HeaderFault, provider.FaultResetMidStream))
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		_, err = io.ReadAll(response.Body)
		require.Error(t, err, "the client is told that the answer is not whole")
		outcome := v.record(t).GetOutcome()
		assert.Equal(t, decision.KindUpstreamReset, outcome.GetKind())
		assert.EqualValues(t, http.StatusOK, outcome.GetStatus())
		assert.True(t, strings.HasPrefix(outcome.GetDetails(), "upstream_reset_after_response_started"), outcome.GetDetails())
		assertTimes(t, outcome)
	})
}

// Whatever becomes of a request, nothing of what it said is written down.
func TestLogs_HoldNoPromptQueryOrCredential(t *testing.T) {
	t.Parallel()
	const prompt, query, credential = "of-the-prompt", "of-the-query", "of-the-credential"
	requests := map[string]struct {
		body    []byte
		headers []string
	}{
		"answered":       {said("auto", "Hello "+prompt), nil},
		"a stream":       {streamed("Hello " + prompt), nil},
		"refused":        {[]byte(`{"model":"small","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"of-the-prompt"}}]}]}`), nil},
		"malformed":      {[]byte(`{"model":"auto","messages":"` + prompt + `"`), nil},
		"cut off":        {[]byte(`{"` + prompt), nil},
		"ambiguous":      {[]byte(`{"` + prompt + `":1,"` + prompt + `":2}`), nil},
		"upstream error": {said("auto", "Hello "+prompt), []string{provider.HeaderStatus, "500"}},
		"reset":          {said("auto", "Hello "+prompt), []string{provider.HeaderFault, provider.FaultReset}},
		"a bad hint":     {said("auto", "Hello "+prompt), []string{decision.HeaderHintTier, prompt}},
	}
	v := visiting(shared(t))
	for name, r := range requests {
		request := v.request(t, r.body, append(r.headers,
			"authorization", "Bearer "+credential+"-1", "x-api-key", credential+"-2", "api-key", credential+"-3", "x-session-id", credential)...)
		request.URL.RawQuery = "api-key=" + query
		assert.NotZero(t, do(t, http.DefaultClient, request).status, name)
	}
	v.all(t, len(requests))
	stdout, stderr, err := v.pointsman.output(t.Context())
	require.NoError(t, err)
	for _, secret := range []string{prompt, query, credential} {
		assert.NotContains(t, string(stdout), secret, "the decision log")
		assert.NotContains(t, string(stderr), secret, "pointsman's own log")
	}
}
