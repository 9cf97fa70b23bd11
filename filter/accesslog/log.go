package accesslog

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/buffer"
	"go.uber.org/zap/zapcore"

	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// Stdout is the decision_log that means the standard output.
const Stdout = "stdout"

// logMode lets the owner write and the group read: records name principals.
const logMode = 0o640

// Log is the decision log: one JSON object on a line for each record. Its
// methods may be called by several goroutines at once.
//
// A file is opened for appending and stays open: rotate it by copying and
// truncating, or log to stdout and let the platform rotate.
type Log struct {
	encoder zapcore.Encoder
	lock    sync.Mutex // of the file
	to      io.Writer
	close   func() error
}

// OpenLog opens the decision log that target names: "stdout", which is stdout,
// or the path of a file, which is created where it does not exist.
func OpenLog(target string, stdout io.Writer) (*Log, error) {
	if target == Stdout {
		return newLog(stdout, func() error { return nil }), nil
	}
	file, err := os.OpenFile(target, os.O_APPEND|os.O_CREATE|os.O_WRONLY, logMode)
	if err != nil {
		return nil, fmt.Errorf("decision_log: %w: name a file that pointsman may append to, or %q", err, Stdout)
	}
	return newLog(file, file.Close), nil
}

func newLog(to io.Writer, closing func() error) *Log {
	encoder := zapcore.NewJSONEncoder(zapcore.EncoderConfig{
		TimeKey:     "ts",
		LevelKey:    "level",
		MessageKey:  "msg",
		LineEnding:  zapcore.DefaultLineEnding,
		EncodeLevel: zapcore.LowercaseLevelEncoder,
		EncodeTime:  zapcore.RFC3339NanoTimeEncoder,
	})
	return &Log{encoder: encoder, to: to, close: closing}
}

// Write appends a line for each record, all at once: ts, level and msg
// ("request"), and the record's decision, outcome and usage, null where it has
// none.
func (l *Log) Write(records ...*routerv1.Record) error {
	lines := buffers.Get()
	defer lines.Free()
	for _, record := range records {
		line, err := l.encoder.EncodeEntry(
			zapcore.Entry{Level: zapcore.InfoLevel, Time: time.Now().UTC(), Message: "request"},
			[]zapcore.Field{zap.Inline(object{record.ProtoReflect()})})
		if err != nil {
			return err
		}
		lines.AppendBytes(line.Bytes())
		line.Free()
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	_, err := l.to.Write(lines.Bytes())
	return err
}

var buffers = buffer.NewPool()

// Close closes the log's file. Nothing may be written after it.
func (l *Log) Close() error { return l.close() }
