package main

import (
	"bytes"
	"io"
	"net/http"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/test/envoybin"
)

// A hundred bodies of 5 MB at once, 500 MB, are answered, all of them or as many
// as the configuration has room for, and take no more memory than those that are
// here at the same time.
func TestManyLargeBodiesAtOnce(t *testing.T) {
	t.Parallel()
	const clients, size = 100, 5 * megabyte
	for name, limits := range map[string]string{
		"within the budget": "",
		"beyond the budget": "{max_body_bytes: 6_000_000, max_inflight_bytes: 6_000_000}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := startPointsman(t, limits)
			require.NoError(t, forgetPeak(a.processor.ID()))
			statuses := flood(t, a, body(size), clients)
			assert.Equal(t, clients, statuses[http.StatusOK]+statuses[http.StatusServiceUnavailable], statuses)
			assert.Positive(t, statuses[http.StatusOK])
			assert.Equal(t, limits != "", statuses[http.StatusServiceUnavailable] > 0, statuses)
			peak, err := peakBytes(a.processor.ID())
			require.NoError(t, err)
			t.Logf("%v, and %d MB of memory at most", statuses, peak/megabyte)
			assert.Less(t, peak, int64(300*megabyte))
		})
	}
}

func startPointsman(t *testing.T, limits string) *arm {
	t.Helper()
	envoyBinary, err := envoybin.Path(t.Context())
	require.NoError(t, err)
	upstream, stop, err := startUpstream(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, stop()) })
	a := &arm{
		name: "pointsman", dir: filepath.Join(t.TempDir(), "pointsman"),
		addresses: addresses{Upstream: upstream, Mode: buffered, Limits: limits},
	}
	require.NoError(t, build(t.Context(), a, "./cmd/pointsman"))
	t.Cleanup(func() { assert.NoError(t, a.stop()) })
	require.NoError(t, startArm(t.Context(), a, serve, envoyBinary))
	return a
}

// flood sends a body from several clients at once and counts the statuses.
func flood(t *testing.T, a *arm, body []byte, clients int) map[int]int {
	t.Helper()
	c := newClient(a, body)
	defer c.close()
	answers := make([]answer, clients)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = post(c) })
	}
	all.Wait()
	statuses := map[int]int{}
	for _, got := range answers {
		require.NoError(t, got.err)
		statuses[got.status]++
		if got.status == http.StatusServiceUnavailable {
			assert.Contains(t, got.text, `"code":"overloaded"`)
			assert.Equal(t, "1", got.retryAfter)
		}
	}
	return statuses
}

type answer struct {
	status           int
	text, retryAfter string
	err              error
}

func post(c *client) (got answer) {
	response, err := c.http.Post(c.url, "application/json", bytes.NewReader(c.body))
	if err != nil {
		return answer{err: err}
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, string(text), response.Header.Get("Retry-After"), err}
}
