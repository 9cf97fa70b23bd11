package accesslog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	alv3 "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"
	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pointsman/pointsman/filter/decision"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve runs a service that writes to a buffer, and returns a stream to it.
func serve(t *testing.T, to *bytes.Buffer) (alsv3.AccessLogService_StreamAccessLogsClient, *observer.ObservedLogs) {
	t.Helper()
	log, err := OpenLog(Stdout, to)
	require.NoError(t, err)
	core, warnings := observer.New(zapcore.WarnLevel)
	listener := bufconn.Listen(1 << 20)
	server := grpc.NewServer()
	alsv3.RegisterAccessLogServiceServer(server, New(testConfig(), log, zap.New(core)))
	go func() { assert.NoError(t, server.Serve(listener)) }()
	t.Cleanup(server.Stop)
	conn, err := grpc.NewClient("passthrough:///pointsman", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return listener.Dial() }))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, conn.Close()) })
	entries, err := alsv3.NewAccessLogServiceClient(conn).StreamAccessLogs(t.Context())
	require.NoError(t, err)
	return entries, warnings
}

func httpLogs(entries ...*alv3.HTTPAccessLogEntry) *alsv3.StreamAccessLogsMessage {
	return &alsv3.StreamAccessLogsMessage{LogEntries: &alsv3.StreamAccessLogsMessage_HttpLogs{
		HttpLogs: &alsv3.StreamAccessLogsMessage_HTTPAccessLogEntries{LogEntry: entries},
	}}
}

type line struct {
	TS       string         `json:"ts"`
	Level    string         `json:"level"`
	Msg      string         `json:"msg"`
	Decision map[string]any `json:"decision"`
	Outcome  map[string]any `json:"outcome"`
	Usage    map[string]any `json:"usage"`
}

func lines(t *testing.T, text []byte) []line {
	t.Helper()
	var all []line
	for raw := range bytes.Lines(text) {
		var one line
		require.NoError(t, json.Unmarshal(raw, &one), string(raw))
		all = append(all, one)
	}
	return all
}

func TestServiceWritesOneLineForEachRequest(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	entries, warnings := serve(t, &out)
	periodic := readEntry(t, "answered")
	periodic.CommonProperties.AccessLogType = alv3.AccessLogType_DownstreamPeriodic
	require.NoError(t, entries.Send(httpLogs(readEntry(t, "answered_stream"), periodic)))
	require.NoError(t, entries.Send(httpLogs(readEntry(t, "failed_open_down"))))
	_, err := entries.CloseAndRecv()
	require.NoError(t, err)

	got := lines(t, out.Bytes())
	require.Len(t, got, 2)
	for _, one := range got {
		assert.Equal(t, "info", one.Level)
		assert.Equal(t, "request", one.Msg)
		assert.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`, one.TS)
	}
	assert.Equal(t, "small", got[0].Decision["model"])
	assert.InDelta(t, 1000, got[0].Usage["cached_tokens"], 0)
	assert.Nil(t, got[1].Decision)
	assert.Nil(t, got[1].Usage)
	assert.Equal(t, "failed_open", got[1].Outcome["kind"])
	assert.Zero(t, warnings.Len())
}

func TestServiceGoesOnAfterAMalformedEntry(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	entries, warnings := serve(t, &out)
	malformed := readEntry(t, "answered")
	malformed.CommonProperties.Metadata.FilterMetadata[decision.Namespace] = &structpb.Struct{
		Fields: map[string]*structpb.Value{"packed": structpb.NewStringValue("none!")},
	}
	require.NoError(t, entries.Send(httpLogs(malformed, &alv3.HTTPAccessLogEntry{}, readEntry(t, "answered"))))
	_, err := entries.CloseAndRecv()
	require.NoError(t, err)
	assert.Len(t, lines(t, out.Bytes()), 3)
	require.Equal(t, 1, warnings.Len())
	assert.Equal(t, malformed.GetRequest().GetRequestId(), warnings.All()[0].ContextMap()["request_id"])
}

func TestServiceSaysThatTCPEntriesAreNotForIt(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	entries, warnings := serve(t, &out)
	require.NoError(t, entries.Send(&alsv3.StreamAccessLogsMessage{LogEntries: &alsv3.StreamAccessLogsMessage_TcpLogs{
		TcpLogs: &alsv3.StreamAccessLogsMessage_TCPAccessLogEntries{LogEntry: []*alv3.TCPAccessLogEntry{{}}},
	}}))
	_, err := entries.CloseAndRecv()
	require.NoError(t, err)
	assert.Empty(t, out.String())
	assert.Equal(t, 1, warnings.FilterMessageSnippet("envoy.access_loggers.http_grpc").Len())
}

func TestLogFileIsAppendedToAndNotForOthersToRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "decisions.jsonl")
	for range 2 {
		log, err := OpenLog(path, nil)
		require.NoError(t, err)
		require.NoError(t, log.Write(recordOf(t, readEntry(t, "answered"))))
		require.NoError(t, log.Close())
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Len(t, lines(t, text), 2)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&^0o640, info.Mode())
}

func TestLogThatCannotBeOpenedSaysWhyAndWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := OpenLog(dir, nil)
	require.EqualError(t, err, `decision_log: open `+dir+`: is a directory: name a file that pointsman may append to, or "stdout"`)
	missing := filepath.Join(dir, "no", "file")
	_, err = OpenLog(missing, nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, missing)
}

func TestLogReportsARecordThatItCannotWrite(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	log, err := OpenLog(Stdout, failingWriter{full})
	require.NoError(t, err)
	assert.ErrorIs(t, log.Write(recordOf(t, readEntry(t, "answered"))), full)
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
