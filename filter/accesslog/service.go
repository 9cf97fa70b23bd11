package accesslog

import (
	"context"
	"errors"
	"io"

	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/pointsman/pointsman/filter/config"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// Service is Envoy's access-log service. It writes a record of each HTTP entry
// to the decision log.
type Service struct {
	alsv3.UnimplementedAccessLogServiceServer

	config *config.Config
	log    *Log
	logger *zap.Logger
}

// New is a service that writes to log and reckons with the prices in cfg. What
// goes wrong with an entry is a warning on logger.
func New(cfg *config.Config, log *Log, logger *zap.Logger) *Service {
	return &Service{config: cfg, log: log, logger: logger}
}

type stream = grpc.ClientStreamingServer[alsv3.StreamAccessLogsMessage, alsv3.StreamAccessLogsResponse]

// StreamAccessLogs receives entries until Envoy ends the stream, which it keeps
// open for as long as it runs, or until the stream's context is done. In the
// latter case the stream ends in good order and Envoy opens its next one
// elsewhere: at most the message in flight is lost.
func (s *Service) StreamAccessLogs(entries stream) error {
	messages := make(chan *batch)
	ended := make(chan error, 1)
	go func() { ended <- receive(entries, messages) }()
	for {
		select {
		case m := <-messages:
			s.write(m)
		case err := <-ended:
			return finish(entries, err)
		case <-entries.Context().Done():
			return finish(entries, io.EOF)
		}
	}
}

// receive hands on messages until there are no more. It outlives its stream's
// handler for the moment that gRPC takes to wake it.
func receive(entries stream, messages chan<- *batch) error {
	for {
		m := new(batch)
		if err := entries.RecvMsg(m); err != nil {
			return err
		}
		select {
		case messages <- m:
		case <-entries.Context().Done():
			return entries.Context().Err()
		}
	}
}

// finish ends a stream. An Envoy that goes away is no error.
func finish(entries stream, err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return entries.SendAndClose(&alsv3.StreamAccessLogsResponse{})
	case errors.Is(err, context.Canceled), status.Code(err) == codes.Canceled:
		return nil
	default:
		return err
	}
}

func (s *Service) write(m *batch) {
	if tcp := len(m.GetTcpLogs().GetLogEntry()); tcp > 0 {
		s.logger.Warn("access log: TCP entries are not for pointsman; use envoy.access_loggers.http_grpc",
			zap.Int("entries", tcp))
	}
	var records []*routerv1.Record
	for _, entry := range m.GetHttpLogs().GetLogEntry() {
		if finished(entry) {
			records = append(records, s.record(entry))
		}
	}
	if len(records) == 0 {
		return
	}
	if err := s.log.Write(records...); err != nil {
		s.logger.Error("decision log: records are lost", zap.Int("records", len(records)),
			zap.String("first_request_id", records[0].GetOutcome().GetRequestId()), zap.Error(err))
	}
}

func (s *Service) record(entry *httpEntry) *routerv1.Record {
	record, err := newRecord(entry, s.config)
	if err != nil {
		s.logger.Warn("access log: part of an entry cannot be read",
			zap.String("request_id", record.GetOutcome().GetRequestId()), zap.Error(err))
	}
	return record
}
