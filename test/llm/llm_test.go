package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/test/child"
)

const key = "sk-s3cret"

// A judge is an LLM that does what the text to classify begins with. begun and
// left count the texts that it lets wait.
type judge struct {
	*httptest.Server

	begun, left chan string
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	j := &judge{begun: make(chan string, 100), left: make(chan string, 100)}
	j.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var question struct {
			Messages []struct {
				Content string `json:"content"`
			} `json:"messages"`
		}
		err := json.NewDecoder(r.Body).Decode(&question)
		if !assert.NoError(t, err) || !assert.Len(t, question.Messages, 2) {
			return
		}
		assert.Equal(t, "Bearer "+key, r.Header.Get("authorization"))
		j.answer(w, r, question.Messages[1].Content)
	}))
	t.Cleanup(j.Close)
	return j
}

func (j *judge) answer(w http.ResponseWriter, r *http.Request, text string) {
	manner, rest, _ := strings.Cut(text, ": ")
	switch manner {
	case "tier":
		tier, _, _ := strings.Cut(rest, " ")
		say(w, `{"category":"proof","tier":"`+tier+`","difficulty":0.5}`)
	case "wrong":
		say(w, `{"category":"proof","tier":"the highest"}`)
	case "broken":
		w.WriteHeader(http.StatusBadGateway)
	default:
		j.begun <- text
		<-r.Context().Done()
		j.left <- text
	}
}

func say(w http.ResponseWriter, content string) {
	_, _ = fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%q}}]}`, content)
}

// settings are those of classifier.llm that have the judge asked.
func (j *judge) settings(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(file, []byte(key+"\n"), 0o600))
	return fmt.Sprintf(`base_url: "%s/v1", api_key_file: "%s"`, j.URL, file)
}

// embedded is the tier by the embedded model.
func embedded(text string) string {
	return classify.New(decision.Medium, true).Classify(classify.Input{Message: text}, classify.Hints{}).Tier.String()
}

// verdict is what a decision says about who classified.
type verdict struct{ tier, source, by, unused string }

// requires that a text is decided so, and that Envoy, provider and record say so.
func (r *rig) requires(t *testing.T, text string, want verdict) *decision.Decision {
	t.Helper()
	came, err := r.send(t.Context(), text)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, came.status)
	d := r.decided(t, came.id)
	assert.Equal(t, want, verdict{d.GetTier(), d.GetSource(), d.GetClassifiedBy(), d.GetLlmUnused()}, text)
	assert.Equal(t, []string{want.tier, want.tier}, []string{came.model, came.tier}, text)
	return d
}

func TestEnvoy_RoutesByTheLLMsWordAndInTimeWithoutIt(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"buffered", "full_duplex_streamed"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			r := start(t, mode, newJudge(t).settings(t)+", timeout: 200ms")
			for _, tier := range []string{"simple", "medium", "complex", "reasoning"} {
				d := r.requires(t, "tier: "+tier+" is meant", verdict{tier, "classifier", "llm", ""})
				assert.Contains(t, d.GetStamps().GetClassifier(), "+judge@")
			}
			for text, unused := range map[string]string{
				"slow: what is this?": "timeout", "wrong: what is this?": "unreadable", "broken: what is this?": "http_5xx",
			} {
				r.requires(t, text, verdict{embedded(text), "classifier", "embedded", unused})
				// One that works in between keeps the breaker closed.
				r.requires(t, "tier: simple after "+text, verdict{"simple", "classifier", "llm", ""})
			}
			log, err := os.ReadFile(r.file("pointsman.log"))
			require.NoError(t, err)
			assert.NotContains(t, string(log), key)
		})
	}
}

func TestEnvoy_RoutesByTheFallbackTierWhereThatIsWanted(t *testing.T) {
	t.Parallel()
	r := start(t, "buffered", newJudge(t).settings(t)+", timeout: 200ms, on_failure: fallback")
	r.requires(t, "tier: reasoning is meant", verdict{"reasoning", "classifier", "llm", ""})
	r.requires(t, "wrong: what is this?", verdict{"complex", "fallback", "embedded", "unreadable"})
	r.requires(t, "slow: what is this?", verdict{"complex", "fallback", "embedded", "timeout"})
}

func TestEnvoy_RoutesOnWhereNoLLMIsThereAndLeavesItAlone(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	settings := j.settings(t)
	j.Close()
	r := start(t, "buffered", settings)
	for i := range 5 {
		text := fmt.Sprint("hello number ", i)
		r.requires(t, text, verdict{embedded(text), "classifier", "embedded", "unreachable"})
	}
	r.requires(t, "hello", verdict{embedded("hello"), "classifier", "embedded", "breaker_open"})
}

func TestEnvoy_AClientThatLeavesTakesItsQuestionAlong(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	r := start(t, "buffered", j.settings(t)+", timeout: 9s")
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := r.send(ctx, "slow: what is this?")
		left <- err
	}()
	assert.Equal(t, "slow: what is this?", <-j.begun)
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	assert.Equal(t, "slow: what is this?", <-j.left)
	require.NoError(t, child.Await(t.Context(), "Envoy says that the client is gone", func(context.Context) error {
		log, err := os.ReadFile(r.file("decisions.jsonl"))
		if err == nil && !strings.Contains(string(log), `"kind":"client_gone"`) {
			err = fmt.Errorf("the decision log has %s", log)
		}
		return err
	}))
	assert.Empty(t, r.provider.Requests("slow"), "nothing went upstream")
}
