package accesslog

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	alv3 "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

var update = flag.Bool("update", false, "write the golden records anew")

func testConfig() *config.Config {
	return &config.Config{Config: &configv1.Config{Models: []*configv1.Model{{
		Name:  new("small"),
		Price: &configv1.Price{Input: new(1.0), CachedInput: new(0.1), CacheWrite: new(1.25), Output: new(4.0)},
	}}}}
}

func readEntry(tb testing.TB, name string) *alv3.HTTPAccessLogEntry {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".entry.json"))
	require.NoError(tb, err)
	var entry alv3.HTTPAccessLogEntry
	require.NoError(tb, protojson.Unmarshal(text, &entry))
	return &entry
}

func recordOf(t *testing.T, entry *alv3.HTTPAccessLogEntry) *routerv1.Record {
	t.Helper()
	record, err := newRecord(entry, testConfig())
	require.NoError(t, err)
	return record
}

// Each entry comes from a request that was made to end in the way its name
// says, so the kinds stand here and not only in the golden files.
func TestKindTellsApartHowARequestEnded(t *testing.T) {
	t.Parallel()
	kinds := map[string][]string{
		decision.KindAnswered: {
			"answered", "answered_query", "answered_stream", "answered_h2", "answered_anthropic", "answered_redirect",
			"passed_headers", "passed_body", "get_no_body", "retried", "retried_reset", "retried_timeout", "usage_malformed",
		},
		decision.KindUpstreamError:     {"upstream_429", "upstream_500", "retries_exhausted"},
		decision.KindImmediateResponse: {"immediate_headers", "immediate_body", "immediate_with_decision"},
		decision.KindFailedOpen: {
			"failed_open_down", "failed_open_down_upstream_500", "failed_open_down_client_gone",
			"failed_open_late_body", "failed_open_grpc_error_headers",
		},
		decision.KindClientGone: {
			"client_gone_waiting", "client_gone_streaming", "client_gone_deciding", "client_gone_uploading",
			"client_gone_h2_streaming",
		},
		decision.KindTimeout: {
			"timeout_route", "timeout_route_streaming", "timeout_idle_streaming",
			"timeout_max_stream_duration_streaming", "timeout_upstream_max_stream_duration_streaming",
			"timeout_per_try", "upload_too_slow", "headers_too_slow",
		},
		decision.KindUpstreamReset: {
			"upstream_reset_before_headers", "upstream_reset_streaming", "upstream_h2_reset_streaming",
			"upstream_refused", "retries_exhausted_reset",
		},
		decision.KindLocalError: {
			"bad_request_line", "headers_too_large", "failed_closed_down", "failed_closed_late",
			"bad_content_length_mutation", "local_413", "local_no_route", "local_no_cluster", "local_unhealthy",
			"local_overflow", "local_direct_response",
		},
	}
	seen := 0
	for kind, names := range kinds {
		for _, name := range names {
			assert.Equal(t, kind, recordOf(t, readEntry(t, name)).GetOutcome().GetKind(), name)
			seen++
		}
	}
	entries, err := filepath.Glob("testdata/*.entry.json")
	require.NoError(t, err)
	assert.Len(t, entries, seen, "every captured entry has a kind here")
	assert.Len(t, kinds, len(decision.Kinds()), "every kind has an entry")
}

func TestRecordsAreThoseOfTheGoldenFiles(t *testing.T) {
	t.Parallel()
	entries, err := filepath.Glob("testdata/*.entry.json")
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	for _, path := range entries {
		name := strings.TrimSuffix(filepath.Base(path), ".entry.json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compact, err := decision.JSON(recordOf(t, readEntry(t, name)))
			require.NoError(t, err)
			var got bytes.Buffer
			require.NoError(t, json.Indent(&got, compact, "", "  "))
			got.WriteByte('\n')
			golden := filepath.Join("testdata", name+".record.json")
			if *update {
				require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got.String())
		})
	}
}

// logLine is a record's line of the decision log.
func logLine(t *testing.T, record *routerv1.Record) []byte {
	t.Helper()
	var out bytes.Buffer
	log, err := OpenLog(Stdout, &out)
	require.NoError(t, err)
	require.NoError(t, log.Write(record))
	return out.Bytes()
}

func TestLogHasEveryFieldAsJSONHasIt(t *testing.T) {
	t.Parallel()
	entries, err := filepath.Glob("testdata/*.entry.json")
	require.NoError(t, err)
	records := append(make([]*routerv1.Record, 0, 2+len(entries)), &routerv1.Record{}, &routerv1.Record{
		Decision: &routerv1.Decision{Principal: "a \"b\"\n<c>\u2028 é", Request: &routerv1.RequestFacts{Needs: []string{"tools", "vision"}, Stream: true}},
		Outcome:  &routerv1.Outcome{Flags: []string{}},
		Usage:    &routerv1.Usage{Cost: 1e-9, InputTokens: math.MaxInt32},
	})
	for _, path := range entries {
		records = append(records, recordOf(t, readEntry(t, strings.TrimSuffix(filepath.Base(path), ".entry.json"))))
	}
	for _, record := range records {
		line := logLine(t, record)
		var again routerv1.Record
		require.NoError(t, protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(line, &again))
		assert.True(t, proto.Equal(record, &again), "%s", line)

		text, err := decision.JSON(record)
		require.NoError(t, err)
		want, got := fieldsOf(t, text), fieldsOf(t, line)
		for _, own := range []string{"ts", "level", "msg"} {
			assert.Contains(t, got, own)
			delete(got, own)
		}
		assert.Equal(t, want, got)
	}
}

// fieldsOf reads JSON without the start time, which may have zeros at its end.
func fieldsOf(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal(text, &fields))
	if outcome, ok := fields["outcome"].(map[string]any); ok {
		delete(outcome, "start_time")
	}
	return fields
}

func TestDecisionThatWasAppliedIsNoFailingOpen(t *testing.T) {
	t.Parallel()
	entry := readEntry(t, "answered")
	setState(t, entry, "failed_open", structpb.NewBoolValue(true))
	assert.Equal(t, decision.KindAnswered, recordOf(t, entry).GetOutcome().GetKind())
}

func TestConnectionThatLivedTooLongIsATimeout(t *testing.T) {
	t.Parallel()
	entry := readEntry(t, "answered")
	entry.CommonProperties.ResponseFlags = &alv3.ResponseFlags{DurationTimeout: true}
	outcome := recordOf(t, entry).GetOutcome()
	assert.Equal(t, decision.KindTimeout, outcome.GetKind())
	assert.Equal(t, []string{"DT"}, outcome.GetFlags())
}

func TestAddedTimeIsThatOfEveryCall(t *testing.T) {
	t.Parallel()
	entry := readEntry(t, "answered")
	setState(t, entry, "request_header_latency_us", structpb.NewNumberValue(1000))
	setState(t, entry, "request_body_total_latency_us", structpb.NewNumberValue(200))
	setState(t, entry, "request_trailer_latency_us", structpb.NewNumberValue(30))
	assert.InDelta(t, 1.23, recordOf(t, entry).GetOutcome().GetAddedMs(), 1e-9)
}

// setState changes one field of the ext_proc filter's state.
func setState(t *testing.T, entry *alv3.HTTPAccessLogEntry, name string, value *structpb.Value) {
	t.Helper()
	var state structpb.Struct
	objects := entry.GetCommonProperties().GetFilterStateObjects()
	require.NoError(t, objects["envoy.filters.http.ext_proc"].UnmarshalTo(&state))
	state.Fields[name] = value
	objects["envoy.filters.http.ext_proc"] = anyOf(t, &state)
}

func TestFailingOpenHasNoDecision(t *testing.T) {
	t.Parallel()
	record := recordOf(t, readEntry(t, "failed_open_down"))
	assert.Nil(t, record.GetDecision())
	assert.Equal(t, decision.KindFailedOpen, record.GetOutcome().GetKind())
	assert.Equal(t, int32(200), record.GetOutcome().GetStatus())
}

func TestImmediateResponseSaysWhy(t *testing.T) {
	t.Parallel()
	outcome := recordOf(t, readEntry(t, "immediate_headers")).GetOutcome()
	assert.Equal(t, "pointsman_unknown_model", outcome.GetDetails())
	assert.Equal(t, int32(404), outcome.GetStatus())
}

func TestRetriesAreCounted(t *testing.T) {
	t.Parallel()
	outcome := recordOf(t, readEntry(t, "retries_exhausted")).GetOutcome()
	assert.Equal(t, int32(3), outcome.GetAttempts())
	assert.Equal(t, []string{"URX"}, outcome.GetFlags())
}

func TestRecordHoldsNoQueryHeaderOrText(t *testing.T) {
	t.Parallel()
	entry := readEntry(t, "answered_query")
	const secret = "s3cret"
	entry.Request.Path = "/v1/chat/completions?key=" + secret
	entry.Request.OriginalPath = "/v1/chat/completions#" + secret
	entry.Request.UserAgent = secret
	entry.Request.Referer = secret
	entry.Request.ForwardedFor = secret
	entry.Request.RequestHeaders = map[string]string{"authorization": secret}
	entry.Response.ResponseHeaders = map[string]string{"set-cookie": secret}
	entry.CommonProperties.CustomTags = map[string]string{"tag": secret}
	entry.CommonProperties.Metadata.FilterMetadata["other"] = &structpb.Struct{
		Fields: map[string]*structpb.Value{"id": structpb.NewStringValue(secret)},
	}
	text, err := decision.JSON(recordOf(t, entry))
	require.NoError(t, err)
	assert.NotContains(t, string(text), secret)
	assert.Contains(t, string(text), `"path":"/v1/chat/completions"`)
}

func TestPathIsTheClientsBeforeARewrite(t *testing.T) {
	t.Parallel()
	entry := readEntry(t, "answered")
	entry.Request.Path = "/openai/v1/chat/completions?a=b"
	entry.Request.OriginalPath = "/v1/chat/completions?a=b"
	assert.Equal(t, "/v1/chat/completions", recordOf(t, entry).GetOutcome().GetPath())
}

// Envoy tells no original path where it keeps its own headers from providers.
func TestPathHasNoPrefixOfItsCluster(t *testing.T) {
	t.Parallel()
	entry := readEntry(t, "answered")
	cfg := testConfig()
	cfg.Clusters = []*configv1.Cluster{{Name: new("eu"), PathPrefix: new("/openai/eu")}}
	entry.Request.Path = "/openai/eu/v1/chat/completions?a=b"
	for cluster, want := range map[string]string{"eu": "/v1/chat/completions", "other": "/openai/eu/v1/chat/completions"} {
		entry.CommonProperties.UpstreamCluster = cluster
		record, err := newRecord(entry, cfg)
		require.NoError(t, err)
		assert.Equal(t, want, record.GetOutcome().GetPath())
	}
}

func TestUnreadablePartIsNamedAndTheRestStands(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		spoil func(*alv3.HTTPAccessLogEntry)
		want  string
	}{
		"decision of another form": {
			func(e *alv3.HTTPAccessLogEntry) {
				e.CommonProperties.Metadata.FilterMetadata["pointsman"].Fields["packed"] = structpb.NewStringValue("many!")
			},
			"read decision metadata",
		},
		"decision of a megabyte": {
			func(e *alv3.HTTPAccessLogEntry) {
				e.CommonProperties.Metadata.FilterMetadata["pointsman"].Fields["packed"] = structpb.NewStringValue(strings.Repeat("x", 1<<20+4))
			},
			"packed has 1048580 bytes, at most 1048576",
		},
		"filter state": {
			func(e *alv3.HTTPAccessLogEntry) {
				e.CommonProperties.FilterStateObjects["envoy.filters.http.ext_proc"] = anyOf(t, wrapperspb.Bool(true))
			},
			`filter state "envoy.filters.http.ext_proc"`,
		},
		"token usage": {
			func(e *alv3.HTTPAccessLogEntry) {
				e.CommonProperties.Metadata.TypedFilterMetadata["envoy.ai.token_usage"] = anyOf(t, wrapperspb.Bool(true))
			},
			`typed metadata "envoy.ai.token_usage"`,
		},
		"start time": {
			func(e *alv3.HTTPAccessLogEntry) {
				e.CommonProperties.StartTime = &timestamppb.Timestamp{Seconds: math.MaxInt64}
			},
			"start time",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entry := readEntry(t, "answered_stream")
			test.spoil(entry)
			record, err := newRecord(entry, testConfig())
			require.ErrorContains(t, err, test.want)
			assert.Equal(t, decision.KindAnswered, record.GetOutcome().GetKind())
			assert.Equal(t, int32(200), record.GetOutcome().GetStatus())
			_, err = decision.JSON(record)
			assert.NoError(t, err)
		})
	}
}

func TestOutcomeIsBounded(t *testing.T) {
	t.Parallel()
	entry := readEntry(t, "answered")
	entry.Request.Path = "/" + strings.Repeat("é", 5000)
	entry.Response.ResponseCode = wrapperspb.UInt32(math.MaxUint32)
	entry.CommonProperties.Duration = &durationpb.Duration{Seconds: math.MinInt64}
	setState(t, entry, "request_header_latency_us", structpb.NewNumberValue(math.NaN()))
	outcome := recordOf(t, entry).GetOutcome()
	assert.Equal(t, "/"+strings.Repeat("é", 511), outcome.GetPath(), "cut between two characters")
	assert.Equal(t, int32(math.MaxInt32), outcome.GetStatus())
	assert.Zero(t, outcome.GetDurationMs())
	assert.Zero(t, outcome.GetAddedMs())
}

func TestOnlyTheEndOfARequestIsRecorded(t *testing.T) {
	t.Parallel()
	entry := readEntry(t, "answered")
	require.True(t, finished(entry))
	for number, name := range alv3.AccessLogType_name {
		entry.CommonProperties.AccessLogType = alv3.AccessLogType(number)
		assert.Equal(t, name == "DownstreamEnd" || name == "NotSet", finished(entry), name)
	}
}

func TestEveryFlagOfEnvoyHasAShortForm(t *testing.T) {
	t.Parallel()
	fields := (&alv3.ResponseFlags{}).ProtoReflect().Descriptor().Fields()
	short := make(map[string]bool)
	for i := range fields.Len() {
		name := shortNames()[fields.Get(i).Name()]
		assert.NotEmpty(t, name, fields.Get(i).Name())
		short[name] = true
	}
	assert.Len(t, short, fields.Len(), "no short form stands for two flags")
	assert.Len(t, shortNames(), fields.Len(), "no short form for a flag that does not exist")
}

func anyOf(t *testing.T, message proto.Message) *anypb.Any {
	t.Helper()
	object, err := anypb.New(message)
	require.NoError(t, err)
	return object
}
