package integration

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// What happens elsewhere is asked for at this pace, for so long.
const (
	pollInterval = 20 * time.Millisecond
	logInterval  = 100 * time.Millisecond
	pollLimit    = time.Minute
)

// Stats reads Envoy's counters and gauges whose name matches a regular
// expression.
func (s *Stack) Stats(t *testing.T, filter string) map[string]int64 {
	t.Helper()
	text, err := get(t.Context(), s.AdminURL+"/stats?"+url.Values{"filter": {filter}}.Encode())
	require.NoError(t, err)
	stats := map[string]int64{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		// Histograms and texts are no numbers.
		if number, err := strconv.ParseInt(value, 10, 64); err == nil {
			stats[name] = number
		}
	}
	return stats
}

// await asks, in the test's own goroutine, until the answer is yes. A test
// whose patience ends fails with what it has waited for.
func await(t *testing.T, every time.Duration, what string, done func() bool) {
	t.Helper()
	pace := time.NewTicker(every)
	defer pace.Stop()
	for limit := time.After(pollLimit); !done(); {
		select {
		case <-pace.C:
		case <-limit:
			require.FailNow(t, "waited in vain for "+what)
		}
	}
}

// WaitForStat waits until one of Envoy's numbers is at least as wanted.
func (s *Stack) WaitForStat(t *testing.T, name string, atLeast int64) {
	t.Helper()
	await(t, pollInterval, fmt.Sprintf("%s of at least %d", name, atLeast), func() bool {
		return s.Stats(t, "^"+regexp.QuoteMeta(name)+"$")[name] >= atLeast
	})
}

// Record waits for the first line of the decision log that contains a text.
func (s *Stack) Record(t *testing.T, text string) *routerv1.Record {
	t.Helper()
	return s.WaitForRecords(t, text, 1)[0]
}

// WaitForRecords waits for so many lines of the decision log that contain a
// text.
func (s *Stack) WaitForRecords(t *testing.T, text string, lines int) []*routerv1.Record {
	t.Helper()
	var found []*routerv1.Record
	await(t, logInterval, fmt.Sprintf("%d records with %q in the decision log", lines, text), func() bool {
		found = s.Records(t, text)
		return len(found) >= lines
	})
	return found
}

// Records reads the lines of the decision log that contain a text. The log is
// pointsman's stdout, which holds nothing else.
func (s *Stack) Records(t *testing.T, text string) []*routerv1.Record {
	t.Helper()
	stdout, _, err := s.pointsman.output(t.Context())
	require.NoError(t, err)
	records, err := parseRecords(stdout, text)
	require.NoError(t, err)
	return records
}

func parseRecords(log []byte, text string) ([]*routerv1.Record, error) {
	var records []*routerv1.Record
	for line := range bytes.Lines(log) {
		// A last line without its end is still being written.
		if !bytes.HasSuffix(line, []byte("\n")) || !bytes.Contains(line, []byte(text)) {
			continue
		}
		record := &routerv1.Record{}
		// The logger's own fields stand beside the record's.
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(line, record); err != nil {
			return nil, fmt.Errorf("decision log: %w: %s", err, line)
		}
		if record.GetOutcome() == nil {
			return nil, fmt.Errorf("decision log: a line that is no record: %s", line)
		}
		records = append(records, record)
	}
	return records, nil
}

// Logs is everything that the stack's containers wrote.
func (s *Stack) Logs(ctx context.Context) string {
	var out strings.Builder
	for _, m := range s.members {
		stdout, stderr, err := m.output(ctx)
		if err != nil {
			stderr = []byte(err.Error())
		}
		fmt.Fprintf(&out, "---- %s, stdout\n%s---- %s, stderr\n%s", m.name, stdout, m.name, stderr)
	}
	return out.String()
}

func get(ctx context.Context, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return "", fmt.Errorf("get %s: %w", url, err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", fmt.Errorf("get %s: %w", url, err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", fmt.Errorf("get %s: %w", url, err)
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("get %s: %s: %s", url, response.Status, body)
	}
	return string(body), nil
}
