package main

import (
	"io"
	"os"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zapgrpc"
	"google.golang.org/grpc/grpclog"
)

// Of lines that say the same, the first logBurst in a second are written, and
// then one in a hundred: whoever can reach the port must not fill a disk.
const logBurst = 20

// newLogger is pointsman's own log: JSON, or text for a person at a terminal.
// gRPC, which keeps one logger for the process, logs its errors there.
func newLogger(to io.Writer, level zapcore.Level) *zap.Logger {
	core := zapcore.NewCore(encoderFor(to), zapcore.Lock(zapcore.AddSync(to)), level)
	logger := zap.New(zapcore.NewSamplerWithOptions(core, time.Second, logBurst, 100))
	grpclog.SetLoggerV2(zapgrpc.NewLogger(logger.WithOptions(zap.IncreaseLevel(zapcore.ErrorLevel))))
	return logger
}

func encoderFor(to io.Writer) zapcore.Encoder {
	config := zap.NewProductionEncoderConfig()
	config.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	config.EncodeDuration = zapcore.StringDurationEncoder
	if !isTerminal(to) {
		return zapcore.NewJSONEncoder(config)
	}
	config.EncodeTime = zapcore.TimeEncoderOfLayout(time.TimeOnly)
	config.EncodeLevel = zapcore.CapitalColorLevelEncoder
	return zapcore.NewConsoleEncoder(config)
}

func isTerminal(to io.Writer) bool {
	file, ok := to.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
