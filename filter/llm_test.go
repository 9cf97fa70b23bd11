package filter_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/classify/llm"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
)

// A judge is an LLM to which everything is a proof of the same tier. It counts how
// often it is asked.
type judge struct {
	*httptest.Server

	asked atomic.Int32
}

func newJudge(t *testing.T, tier string) *judge {
	t.Helper()
	j := &judge{}
	j.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		j.asked.Add(1)
		_, _ = fmt.Fprintf(w, `{"choices":[{"message":{"content":%q}}]}`, `{"category":"proof","tier":"`+tier+`"}`)
	}))
	t.Cleanup(j.Close)
	return j
}

// settings are the lines that have the judge asked.
func (j *judge) settings() string {
	return fmt.Sprintf("classifier: {llm: {base_url: %q, model: judge, timeout: 9s}}\n", j.URL)
}

// asking is a pipeline as `pointsman serve` has it.
func (j *judge) asking(t *testing.T) *filter.Pipeline {
	t.Helper()
	example, err := os.ReadFile("../deploy/pointsman.yaml")
	require.NoError(t, err)
	cfg, err := config.Parse("pointsman.yaml", append(example, j.settings()...))
	require.NoError(t, err)
	pipeline, err := filter.New(cfg)
	require.NoError(t, err)
	asked, err := llm.New(cfg, zap.NewNop())
	require.NoError(t, err)
	return pipeline.Asking(asked)
}

func TestDecideGoesByTheLLMsWord(t *testing.T) {
	t.Parallel()
	j := newJudge(t, "reasoning")
	v := post(j.asking(t), nil, chat("auto", "user", greeting))
	d := v.Decision
	assert.Equal(t, "large", d.GetModel())
	assert.Equal(t, []string{"reasoning", "proof", decision.SourceClassifier, decision.ByLLM, ""},
		[]string{d.GetTier(), d.GetCategory(), d.GetSource(), d.GetClassifiedBy(), d.GetLlmUnused()})
	assert.InDelta(t, 0.875, d.GetDifficulty(), 1e-9)
	assert.Zero(t, d.GetConfidence())
	assert.Equal(t, int32(len(greeting)), d.GetFraming().GetMessageChars())
	assert.Equal(t, "reasoning", setHeaders(v)[decision.HeaderTier])
}

func TestDecideSaysWhyTheLLMHasNoSay(t *testing.T) {
	t.Parallel()
	j := newJudge(t, "any")
	want := post(newPipeline(t, ""), nil, chat("auto", "user", greeting)).Decision
	d := post(j.asking(t), nil, chat("auto", "user", greeting)).Decision
	assert.Equal(t, []string{want.GetTier(), want.GetCategory(), decision.SourceClassifier, decision.ByEmbedded, "unreadable"},
		[]string{d.GetTier(), d.GetCategory(), d.GetSource(), d.GetClassifiedBy(), d.GetLlmUnused()})
	assert.Equal(t, []string{decision.ByEmbedded, ""}, []string{want.GetClassifiedBy(), want.GetLlmUnused()})
}

func TestDecideAsksTheLLMOnlyWhereSomethingIsClassified(t *testing.T) {
	t.Parallel()
	j := newJudge(t, "reasoning")
	pipeline := j.asking(t)
	both := map[string]string{"x-pointsman-hint-tier": "medium", "x-pointsman-hint-category": "math"}
	for name, d := range map[string]*decision.Decision{
		"pinned":    post(pipeline, nil, chat("large", "user", greeting)).Decision,
		"hinted":    post(pipeline, both, chat("auto", "user", greeting)).Decision,
		"no turn":   post(pipeline, nil, chat("auto")).Decision,
		"no letter": post(pipeline, nil, chat("auto", "user", " ")).Decision,
	} {
		assert.Equal(t, []string{"", ""}, []string{d.GetClassifiedBy(), d.GetLlmUnused()}, name)
	}
	require.NotNil(t, post(pipeline, nil, "{").Answer)
	assert.Zero(t, j.asked.Load())

	d := post(pipeline, map[string]string{"x-pointsman-hint-tier": "medium"}, chat("auto", "user", greeting)).Decision
	assert.Equal(t, []string{"medium", "proof", "tier", decision.ByLLM},
		[]string{d.GetTier(), d.GetCategory(), d.GetHinted(), d.GetClassifiedBy()})
	assert.Equal(t, int32(1), j.asked.Load())
}

func TestDecideAsksNobodyInADryRunAndSaysSo(t *testing.T) {
	t.Parallel()
	j := newJudge(t, "reasoning")
	pipeline := newPipeline(t, j.settings())
	d := post(pipeline, nil, chat("auto", "user", greeting)).Decision
	assert.Equal(t, []string{decision.ByEmbedded, "dry_run"}, []string{d.GetClassifiedBy(), d.GetLlmUnused()})
	assert.Empty(t, post(pipeline, nil, chat("large", "user", greeting)).Decision.GetLlmUnused())
	assert.Zero(t, j.asked.Load())
}

func TestStampsSayWhichLLMIsAsked(t *testing.T) {
	t.Parallel()
	j := newJudge(t, "reasoning")
	stamp := func(pipeline *filter.Pipeline) string {
		return post(pipeline, nil, chat("auto", "user", greeting)).Decision.GetStamps().GetClassifier()
	}
	assert.Equal(t, classify.Stamp(), stamp(newPipeline(t, j.settings())), "nobody is asked in a dry run")
	rest, ok := strings.CutPrefix(stamp(j.asking(t)), classify.Stamp()+"+")
	require.True(t, ok)
	assert.Regexp(t, "^judge@[0-9a-f]{12}$", rest)
}

func TestDecideGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	j := &judge{Server: httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does it see that its client leaves
		cancel()
		<-r.Context().Done()
	}))}
	t.Cleanup(j.Close)
	admitted, _ := j.asking(t).Admit(filter.Request{
		Method: http.MethodPost, Path: chatPath,
		Header:   func(string) string { return "" },
		Metadata: func(string, string) string { return "" },
	})
	require.NotNil(t, admitted)
	d := admitted.Decide(over, []byte(chat("auto", "user", greeting))).Decision
	assert.Equal(t, "gone", d.GetLlmUnused())
}
