package sdk

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/test/provider"
)

// said is an answer as a client's program saw it.
type said struct{ Model, Text string }

// A sender sends sessions turn by turn, each below the URL with the session's
// name.
type sender func(t *testing.T, url string) map[string][]said

// sessions are what is sent, the last so many requests of each.
func sessions(steps int) map[string]session {
	sealed := messagesSession(12)
	sealed.More["thinking"] = object{"type": "adaptive"}
	all := map[string]session{
		"chat": chatSession(chatPicture), "responses": responsesSession(), "messages": messagesSession(0), "sealed": sealed,
	}
	for name, s := range all {
		s.Steps = s.Steps[lastSteps-steps:]
		all[name] = s
	}
	return all
}

func TestPrune_PythonsSessionsKeepAllButOldResults(t *testing.T) {
	t.Parallel()
	all := sessions(lastSteps)
	file := fileOf(t, all)
	assertPruned(t, pruning.visit(), all, func(t *testing.T, url string) map[string][]said {
		t.Helper()
		python := filepath.Join(shared.root, ".tools", "python", "bin", "python")
		return results[[]said](t, exec.CommandContext(t.Context(), python, "session.py", url, file))
	})
}

func TestPrune_JavaScriptsSessionsKeepAllButOldResults(t *testing.T) {
	t.Parallel()
	all := sessions(4)
	file := fileOf(t, all)
	assertPruned(t, streaming.visit(), all, func(t *testing.T, url string) map[string][]said {
		t.Helper()
		node := exec.CommandContext(t.Context(), "node", "session.js", url, file)
		node.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(shared.root, ".tools", "javascript", "node_modules"))
		return results[[]said](t, node)
	})
}

func fileOf(t *testing.T, all map[string]session) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sessions.json")
	text, err := json.Marshal(all)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return file
}

// assertPruned sends the sessions twice, once straight to a provider, which so
// sees what the library writes and that a provider takes it, and once through
// Envoy.
func assertPruned(t *testing.T, v visit, all map[string]session, send sender) {
	t.Helper()
	straightAway := provider.New(provider.Options{Name: "straight", Models: []string{"auto"}})
	server := httptest.NewServer(straightAway)
	t.Cleanup(server.Close)
	straight, through := send(t, server.URL), send(t, v.base())
	for name, s := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent, arrived := straightAway.Requests("/"+name+"/"), v.arrivals("/"+name+"/")
			count := len(s.Steps)
			require.Len(t, sent, count)
			require.Len(t, arrived, count)
			require.Len(t, through[name], count)
			steps := make([]step, count)
			for i, record := range v.records(t, v.mark+"/"+name+"/", count) {
				steps[i] = step{
					sent: take(t, sent[i].Body, s.param), arrived: take(t, arrived[i].Body, s.param), request: arrived[i],
					decided: record.GetDecision(), straight: straight[name][i], through: through[name][i],
				}
			}
			assertSteps(t, s, steps)
		})
	}
}

// assertSteps holds each request of a session against what was sent, and against
// the one before.
func assertSteps(t *testing.T, s session, steps []step) {
	t.Helper()
	models := map[string]bool{}
	for i, step := range steps {
		step.assert(t, s)
		models[step.decided.GetModel()] = true
		if i > 0 {
			step.assertExtends(t, steps[i-1])
		}
	}
	assert.True(t, models["small"] || models["quick"], "pruning leaves no picture at some steps")
	if len(steps) == lastSteps {
		assert.Greater(t, steps[lastSteps-1].decided.GetCuts(), steps[0].decided.GetCuts(), "there is a cut among them, too")
	}
}

// arrivals are what reached the providers of this visit, in order.
func (v visit) arrivals(path string) (all []provider.Request) {
	for _, requests := range v.received() {
		for _, request := range requests {
			if strings.HasPrefix(request.Path, v.mark+path) {
				all = append(all, request)
			}
		}
	}
	slices.SortFunc(all, func(a, b provider.Request) int { return a.Received.Compare(b.Received) })
	return all
}

// A step is one request of a session.
type step struct {
	sent, arrived     taken
	request           provider.Request // that arrived
	decided           *decision.Decision
	straight, through said
}

// assert holds what arrived against what was sent.
func (s step) assert(t *testing.T, of session) {
	t.Helper()
	assert.True(t, s.request.Complete)
	assert.Equal(t, s.request.BodyLength, s.request.ContentLength)
	assert.EqualValues(t, len(s.arrived.body), s.request.BodyLength, "all of it was kept")
	assertSame(t, s.sent.rest(), s.arrived.rest(), "what is neither a tool result nor the model's name")
	assert.Equal(t, strconv.Quote(s.decided.GetUpstreamModel()), string(s.arrived.model.of(s.arrived.body)))
	require.Len(t, s.arrived.results, len(s.sent.results))

	counts := s.counts(t, of)
	d := s.decided
	assert.EqualValues(t, counts[replaced], d.GetReplaced())
	assert.EqualValues(t, counts[trimmed], d.GetTrimmed())
	assert.Greater(t, d.GetCuts(), int32(1))
	assert.Equal(t, d.GetPromptTokens()-d.GetTokensSaved(), d.GetPrunedTokens())
	assert.EqualValues(t, len(s.sent.body)-len("auto")+len(d.GetUpstreamModel())-len(s.arrived.body), d.GetBytesSaved())
	assert.Greater(t, d.GetBytesSaved(), int32(len(s.sent.body)/3))

	// Whatever the model reads last is what it would have read.
	assert.Equal(t, d.GetUpstreamModel(), s.through.Model)
	assert.Equal(t, strings.Replace(s.straight.Text, "auto", s.through.Model, 1), s.through.Text)
	s.assertModel(t)
}

// assertModel holds the choice of the model to what is left of the request.
func (s step) assertModel(t *testing.T) {
	t.Helper()
	needs := s.decided.GetRequest().GetNeeds()
	pictures := strings.Contains(string(s.arrived.body), "image/png")
	assert.Equal(t, pictures, slices.Contains(needs, "vision"))
	want := "small"
	switch {
	case slices.Contains(needs, "sealed_reasoning"):
		want = "quick"
	case pictures:
		want = "medium"
	}
	assert.Equal(t, want, s.decided.GetModel(), "pruned it fits (R4)")
	assert.Greater(t, s.decided.GetPromptTokens(), int32(190_000), "with margin and answer more than the cheap models take")
}

// counts says how many results became what.
func (s step) counts(t *testing.T, of session) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for i := range s.sent.results {
		what := became(t, s.sent.result(i), s.arrived.result(i))
		counts[what]++
		if of.isKept(i, len(s.sent.results)) {
			assert.Equal(t, kept, what, "result %d", i)
		}
	}
	return counts
}

// isKept reports whether a result, of so many in a request, is one that is never
// pruned.
func (s session) isKept(i, count int) bool {
	at, ends := len(s.rounds), len(s.tools)
	for ends > count {
		at--
		ends -= s.rounds[at]
	}
	for range newest {
		at--
		ends -= s.rounds[at]
	}
	return s.tools[i] == keptTool || i >= ends || i < s.signed
}

// assertExtends holds what arrived against what arrived one call before: it is
// the same up to the first result that is newly pruned, and what was pruned
// before stays as it was.
func (s step) assertExtends(t *testing.T, before step) {
	t.Helper()
	first := -1
	for i := range before.arrived.results {
		was, is := before.arrived.result(i), s.arrived.result(i)
		if was == is {
			continue
		}
		assert.Equal(t, before.sent.result(i), was, "result %d was pruned in another way before", i)
		if first < 0 {
			first = i
		}
	}
	cuts := s.decided.GetCuts() - before.decided.GetCuts()
	end := before.arrived.turns[len(before.arrived.turns)-1].to
	if first < 0 {
		assert.Zero(t, cuts)
	} else {
		assert.EqualValues(t, 1, cuts)
		end = before.arrived.results[first].from
	}
	from := before.arrived.turns[0].from
	was, is := withoutMarks(before.arrived.body[from:end]), withoutMarks(s.arrived.body[s.arrived.turns[0].from:])
	assertSame(t, was, is[:min(len(was), len(is))], "what the prompt cache holds")
}

// moving is where the prompt cache is to end; it moves from turn to turn, and
// providers leave it out of what they compare.
var moving = regexp.MustCompile(`,\s*"cache_control":\s*\{[^}]*\}`)

func withoutMarks(body []byte) string { return string(moving.ReplaceAll(body, nil)) }
