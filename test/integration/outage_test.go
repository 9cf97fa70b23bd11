package integration

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
)

// theDefault is the upstream model of the default model of the shared
// configuration, at provider-a.
const theDefault = "medium-2026"

// keptByProvider is how much of a body a stand-in keeps.
const keptByProvider = 1 << 20

// story is a chat body of about that many bytes, for a virtual model.
func story(size int) []byte { return said("auto", strings.Repeat("Once upon a time. ", size/18)) }

func TestOutage_KilledPointsmanIsNotMissedAndComesBack(t *testing.T) {
	t.Parallel()
	stack := own(t, Setup{File: sharedConfig})
	assertDecides(t, stack)
	stack.KillPointsman(t)
	assertFailsOpen(t, stack)
	assertPinnedModelsKeepTheirs(t, stack)
	assertUnnamed(t, stack)
	assertSpoofingIsInVain(t, stack, theDefault)
	assertUploadsAreUntouched(t, stack)
	list := visiting(stack)
	assert.Equal(t, http.StatusOK, do(t, http.DefaultClient, newRequest(t, http.MethodGet, list.base()+"/v1/models", nil)).status)
	assertClean(t, list.arrived(t, "provider-a")) // it lists its own

	stack.StartPointsman(t)
	assertDecides(t, stack)
}

// assertDecides holds where pointsman is up.
func assertDecides(t *testing.T, stack *Stack) {
	t.Helper()
	v := visiting(stack)
	got := v.ask(t, said("auto", greeting))
	assert.Equal(t, http.StatusOK, got.status, got.body)
	assert.NotEmpty(t, got.header.Get(decision.HeaderDecision))
	assertBody(t, said("small-2026", greeting), v.arrived(t, "provider-a"))
	assert.Equal(t, decision.KindAnswered, v.record(t).GetOutcome().GetKind())
}

func assertFailsOpen(t *testing.T, stack *Stack) {
	t.Helper()
	for _, contentType := range []string{"application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8"} {
		for _, body := range [][]byte{story(2 << 10), story(5 << 20), streamed(greeting), said("gpt-9", greeting)} {
			v := visiting(stack)
			got := v.ask(t, body, "content-type", contentType)
			assert.Equal(t, http.StatusOK, got.status, got.body)
			assert.Empty(t, got.header.Get(decision.HeaderDecision))
			assert.Empty(t, got.header.Get(decision.HeaderModel))
			arrived := v.arrived(t, "provider-a")
			assertClean(t, arrived)
			if len(body) > keptByProvider {
				assert.EqualValues(t, len(body)-len("auto")+len(theDefault), arrived.BodyLength)
				continue
			}
			var sent, received map[string]any
			require.NoError(t, json.Unmarshal(body, &sent))
			require.NoError(t, json.Unmarshal(arrived.Body, &received))
			sent["model"] = theDefault
			assert.Equal(t, sent, received)
		}
	}
	v := visiting(stack)
	assert.Equal(t, http.StatusOK, v.ask(t, gzipped(t, story(5<<20)), "content-encoding", "gzip").status)
	assert.EqualValues(t, len(story(5<<20))-len("auto")+len(theDefault), v.arrived(t, "provider-a").BodyLength)
}

func assertPinnedModelsKeepTheirs(t *testing.T, stack *Stack) {
	t.Helper()
	odd := []byte(` {"z":1.0, "model" : "large-2026", "seed":12345678901234567890,"messages":[{"role":"user","content":"hi"}]}`)
	v := visiting(stack)
	assert.Equal(t, http.StatusOK, v.ask(t, odd).status)
	assertBody(t, odd, v.arrived(t, "provider-b"))
	assertClean(t, v.arrived(t, "provider-b"))

	v = visiting(stack)
	assert.Equal(t, http.StatusOK, v.ask(t, said("large", greeting)).status)
	assert.JSONEq(t, string(said("large-2026", greeting)), string(v.arrived(t, "provider-b").Body))
}

// assertUnnamed pins what the default model's name does not get into in an
// outage: Envoy's transform filter leaves these alone, so the virtual model's
// name reaches the provider.
func assertUnnamed(t *testing.T, stack *Stack) {
	t.Helper()
	plain := string(said("auto", greeting))
	for name, request := range map[string]struct {
		contentType, body string
		status            int
	}{
		"another type":       {"text/plain", plain, http.StatusNotFound},
		"a type of its own":  {"application/vnd.client+json", plain, http.StatusNotFound},
		"in capitals":        {"Application/JSON", plain, http.StatusNotFound},
		"a duplicate name":   {"application/json", strings.Replace(plain, `{`, `{"x":1,"x":2,`, 1), http.StatusNotFound},
		"a lone surrogate":   {"application/json", strings.Replace(plain, `there`, `\ud83d`, 1), http.StatusNotFound},
		"a byte order mark":  {"application/json", "\ufeff" + plain, http.StatusBadRequest},
		"no JSON altogether": {"application/json", "model=auto", http.StatusBadRequest},
	} {
		v := visiting(stack)
		got := v.ask(t, []byte(request.body), "content-type", request.contentType)
		assert.Equal(t, request.status, got.status, "%s: the provider's answer: %s", name, got.body)
		arrived := v.arrived(t, "provider-a")
		assertBody(t, []byte(request.body), arrived)
		assertClean(t, arrived)
	}
}

func TestOutage_HungPointsmanIsWaitedForOnceAndThenLeftAlone(t *testing.T) {
	t.Parallel()
	stack := own(t, Setup{File: sharedConfig})
	assertDecides(t, stack)
	stack.PausePointsman(t)
	first := visiting(stack)
	got := first.ask(t, said("auto", greeting))
	assert.Equal(t, http.StatusOK, got.status, got.body)
	assert.Contains(t, string(first.arrived(t, "provider-a").Body), theDefault)
	await(t, pollInterval, "Envoy to see that pointsman hangs", func() bool {
		return stack.Stats(t, `^cluster\.pointsman\.membership_healthy$`)["cluster.pointsman.membership_healthy"] == 0
	})
	begin := time.Now()
	later := visiting(stack)
	assert.Equal(t, http.StatusOK, later.ask(t, said("auto", greeting)).status)
	assert.Less(t, time.Since(begin), 8*time.Second, "nobody waits any more")

	stack.ResumePointsman(t)
	stack.WaitForStat(t, "cluster.pointsman.membership_healthy", 1)
	record := first.record(t)
	assert.Nil(t, record.GetDecision())
	assert.Equal(t, decision.KindFailedOpen, record.GetOutcome().GetKind())
	assert.EqualValues(t, http.StatusOK, record.GetOutcome().GetStatus())
	assert.Greater(t, record.GetOutcome().GetDurationMs(), 5000.0)
	assertDecides(t, stack)
}

func TestOutage_NoRequestFailsWhilePointsmanIsReplaced(t *testing.T) {
	t.Parallel()
	stack := own(t, Setup{File: sharedConfig})
	assertDecides(t, stack)
	var decided, undecided atomic.Int64
	var clients sync.WaitGroup
	replaced := make(chan struct{})
	for range 4 {
		clients.Go(func() {
			for over := false; !over; {
				select {
				case <-replaced:
					over = true // one more
				default:
				}
				got := visiting(stack).ask(t, said("auto", greeting))
				assert.Equal(t, http.StatusOK, got.status, got.body)
				if got.header.Get(decision.HeaderDecision) != "" {
					decided.Add(1)
				} else {
					undecided.Add(1)
				}
			}
		})
	}
	stack.StopPointsman(t)
	before := decided.Load()
	stack.StartPointsman(t)
	assertDecides(t, stack)
	close(replaced)
	clients.Wait()
	assert.Positive(t, before)
	assert.Greater(t, decided.Load(), before, "routing goes on")
	assert.Positive(t, undecided.Load(), "requests were sent while it was down")
	_, stderr, err := stack.pointsman.output(t.Context())
	require.NoError(t, err)
	assert.Contains(t, string(stderr), "draining")
	assert.NotContains(t, string(stderr), "cut off")
}
