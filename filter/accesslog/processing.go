package accesslog

import (
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"
)

// extProcFilter is the configured name of the ext_proc filter that calls
// pointsman. Envoy keys the filter's state by that name (measured: a filter
// with another name has its state under the other name).
const extProcFilter = "envoy.filters.http.ext_proc"

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
	microseconds := fields["request_header_latency_us"].GetNumberValue() +
		fields["request_body_total_latency_us"].GetNumberValue() +
		fields["request_trailer_latency_us"].GetNumberValue()
	return processing{
		failedOpen: fields["failed_open"].GetBoolValue(),
		immediate:  fields["received_immediate_response"].GetBoolValue(),
		addedMS:    measure(microseconds / 1e3),
	}, nil
}
