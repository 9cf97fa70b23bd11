package accesslog

import (
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"
)

// extProcFilter is the configured name of the ext_proc filter that calls
// pointsman. Envoy keys the filter's state by that name (measured: a filter
// with another name has its state under the other name).
const extProcFilter = "envoy.filters.http.ext_proc"

// The fields of the filter's state that are read.
const (
	failedOpen        = "failed_open"
	immediateResponse = "received_immediate_response"
	headerLatency     = "request_header_latency_us"
	bodyLatency       = "request_body_total_latency_us"
	trailerLatency    = "request_trailer_latency_us"
)

// processing is what Envoy's ext_proc filter says of its calls to pointsman.
// It is zero where the access logger does not log the filter's state.
type processing struct {
	failedOpen bool
	immediate  bool
	addedMS    float64
}

// processingOf reads the filter's state, which Envoy 1.40 writes as a
// google.protobuf.Struct (measured).
func processingOf(entry *httpEntry) (processing, error) {
	object := entry.GetCommonProperties().GetFilterStateObjects()[extProcFilter]
	if object == nil {
		return processing{}, nil
	}
	var state structpb.Struct
	if err := object.UnmarshalTo(&state); err != nil {
		return processing{}, fmt.Errorf("filter state %q: %w", extProcFilter, err)
	}
	fields := state.GetFields()
	microseconds := fields[headerLatency].GetNumberValue() +
		fields[bodyLatency].GetNumberValue() +
		fields[trailerLatency].GetNumberValue()
	return processing{
		failedOpen: fields[failedOpen].GetBoolValue(),
		immediate:  fields[immediateResponse].GetBoolValue(),
		addedMS:    measure(microseconds / 1e3),
	}, nil
}
