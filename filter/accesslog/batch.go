package accesslog

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	alv3 "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"
	alsv3 "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pointsman/pointsman/filter/decision"
)

// batch is one message of Envoy's, with what a record needs. An entry is full of
// what none needs, nested metadata above all: read in full it took twice the CPU
// (measured).
type batch struct{ alsv3.StreamAccessLogsMessage }

// Unmarshal reads a message.
func (b *batch) Unmarshal(data mem.BufferSlice) error {
	message := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer message.Free()
	needed := mem.DefaultBufferPool().Get(message.Len())
	defer mem.DefaultBufferPool().Put(needed)
	return proto.Unmarshal(ofBatch.cut((*needed)[:0], message.ReadOnlyData()), &b.StreamAccessLogsMessage)
}

var (
	ofBatch = of((*alsv3.StreamAccessLogsMessage)(nil), parts{
		"http_logs": of((*alsv3.StreamAccessLogsMessage_HTTPAccessLogEntries)(nil), parts{"log_entry": ofEntry}),
		"tcp_logs":  whole,
	})

	ofEntry = of((*httpEntry)(nil), parts{
		"common_properties": ofCommon,
		"request": of((*alv3.HTTPRequestProperties)(nil), parts{
			"original_path": whole, "path": whole, "request_body_bytes": whole, "request_id": whole,
		}),
		"response": of((*alv3.HTTPResponseProperties)(nil), parts{
			"response_body_bytes": whole, "response_code": whole, "response_code_details": whole,
		}),
	})

	ofCommon = of((*alv3.AccessLogCommon)(nil), parts{
		"access_log_type":                  whole,
		"duration":                         whole,
		"filter_state_objects":             entries(parts{extProcFilter: ofProcessing}),
		"metadata":                         ofMetadata,
		"response_flags":                   whole,
		"start_time":                       whole,
		"time_to_first_downstream_tx_byte": whole,
		"upstream_cluster":                 whole,
		"upstream_remote_address":          whole,
		"upstream_request_attempt_count":   whole,
	})

	ofMetadata = of((*corev3.Metadata)(nil), parts{
		"filter_metadata":       entries(parts{decision.Namespace: ofStruct(decision.Packed)}),
		"typed_filter_metadata": entries(parts{usageNamespace: whole}),
	})

	// A state of another type than Struct is none that processingOf reads.
	ofProcessing = of((*anypb.Any)(nil), parts{
		"type_url": whole, "value": ofStruct(failedOpen, immediateResponse, headerLatency, bodyLatency, trailerLatency),
	})
)

func ofStruct(keys ...string) *wanted {
	values := make(parts, len(keys))
	for _, key := range keys {
		values[key] = whole
	}
	return of((*structpb.Struct)(nil), parts{"fields": entries(values)})
}
