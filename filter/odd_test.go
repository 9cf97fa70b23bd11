package filter_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/test/odd"
)

// newPipeline builds a pipeline from the repository's example configuration
// with lines added.
func newPipeline(t *testing.T, added string) *filter.Pipeline {
	t.Helper()
	example, err := os.ReadFile("../deploy/pointsman.yaml")
	require.NoError(t, err)
	cfg, err := config.Parse("pointsman.yaml", append(example, added...))
	require.NoError(t, err)
	pipeline, err := filter.New(cfg)
	require.NoError(t, err)
	return pipeline
}

// send puts a request through a pipeline the way its callers do.
func send(pipeline *filter.Pipeline, method, path string, headers map[string]string, body string) filter.Verdict {
	lower := map[string]string{}
	for name, value := range headers {
		lower[strings.ToLower(name)] = value
	}
	admitted, verdict := pipeline.Admit(filter.Request{
		Method:   method,
		Path:     path,
		Header:   func(name string) string { return lower[name] },
		Metadata: func(namespace, key string) string { return lower["metadata:"+namespace+"/"+key] },
	})
	if admitted != nil {
		return admitted.Decide(context.Background(), []byte(body))
	}
	return verdict
}

func TestOddRequestsGetTheirExactAnswers(t *testing.T) {
	t.Parallel()
	pipeline := newPipeline(t, odd.Config)
	requests := odd.Requests()
	require.Greater(t, len(requests), 80)
	for _, r := range requests {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			verdict := send(pipeline, r.Method, r.Path, r.Headers, r.Body)
			if r.Answer == "" {
				require.Nil(t, verdict.Answer)
				assert.Equal(t, r.Upstream, string(verdict.Upstream()))
				return
			}
			require.NotNil(t, verdict.Answer)
			assert.Equal(t, r.Status, verdict.Answer.Status)
			assert.Equal(t, r.Answer, string(verdict.Answer.Body))
			assert.Equal(t, r.Status == http.StatusOK, verdict.Why == "list_models")
		})
	}
}

// pipelineWith builds a pipeline from the example configuration with one of its
// sections replaced.
func pipelineWith(t *testing.T, section, replacement string) *filter.Pipeline {
	t.Helper()
	example, err := os.ReadFile("../deploy/pointsman.yaml")
	require.NoError(t, err)
	var kept []string
	inside := false
	for line := range strings.Lines(string(example)) {
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" {
			inside = strings.HasPrefix(line, section+":")
		}
		if !inside {
			kept = append(kept, line)
		}
	}
	cfg, err := config.Parse("pointsman.yaml", []byte(strings.Join(kept, "")+replacement))
	require.NoError(t, err)
	pipeline, err := filter.New(cfg)
	require.NoError(t, err)
	return pipeline
}
