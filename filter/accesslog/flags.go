package accesslog

import (
	alv3 "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// shortNames gives the short form of each field of Envoy's ResponseFlags, as
// %RESPONSE_FLAGS% writes it (Envoy docs, access-log formats).
func shortNames() map[protoreflect.Name]string {
	return map[protoreflect.Name]string{
		"failed_local_healthcheck":             "LH",
		"no_healthy_upstream":                  "UH",
		"upstream_request_timeout":             "UT",
		"local_reset":                          "LR",
		"upstream_remote_reset":                "UR",
		"upstream_connection_failure":          "UF",
		"upstream_connection_termination":      "UC",
		"upstream_overflow":                    "UO",
		"no_route_found":                       "NR",
		"delay_injected":                       "DI",
		"fault_injected":                       "FI",
		"rate_limited":                         "RL",
		"unauthorized_details":                 "UAEX",
		"rate_limit_service_error":             "RLSE",
		"downstream_connection_termination":    "DC",
		"upstream_retry_limit_exceeded":        "URX",
		"stream_idle_timeout":                  "SI",
		"invalid_envoy_request_headers":        "IH",
		"downstream_protocol_error":            "DPE",
		"upstream_max_stream_duration_reached": "UMSDR",
		"response_from_cache_filter":           "RFCF",
		"no_filter_config_found":               "NFCF",
		"duration_timeout":                     "DT",
		"upstream_protocol_error":              "UPE",
		"no_cluster_found":                     "NC",
		"overload_manager":                     "OM",
		"dns_resolution_failure":               "DF",
		"downstream_remote_reset":              "DR",
	}
}

// shortFlags lists the flags that are set, in the order of Envoy's schema.
func shortFlags(flags *alv3.ResponseFlags) []string {
	if flags == nil {
		return nil
	}
	message := flags.ProtoReflect()
	fields := message.Descriptor().Fields()
	names := shortNames()
	var short []string
	for i := range fields.Len() {
		if message.Has(fields.Get(i)) {
			short = append(short, names[fields.Get(i).Name()])
		}
	}
	return short
}
