package envoy

import (
	accesslogv3 "github.com/envoyproxy/go-control-plane/envoy/config/accesslog/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	grpclogv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/access_loggers/grpc/v3"
	statslogv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/access_loggers/stats/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/pointsman/pointsman/filter/decision"
)

// accessLogs count decisions in Envoy's own statistics, and bring the outcome
// of LLM requests back to pointsman.
func (g *generator) accessLogs() []*accesslogv3.AccessLog {
	var logs []*accesslogv3.AccessLog
	for _, api := range g.apisInUse() {
		logs = append(logs, g.accessLog("envoy.access_loggers.http_grpc", outcomeLog(), requestsOf(api)))
	}
	return append(logs, g.statsLog(decided(), decisionCounters()), g.statsLog(both(both(decided(), pruned()), enforced()), pruningCounters()))
}

func (g *generator) accessLog(name string, config proto.Message, filter *accesslogv3.AccessLogFilter) *accesslogv3.AccessLog {
	return &accesslogv3.AccessLog{
		Name:       name,
		Filter:     filter,
		ConfigType: &accesslogv3.AccessLog_TypedConfig{TypedConfig: g.pack(config)},
	}
}

// decided keeps what went to a model by a decision: the stats logger complains
// about every entry whose values are missing.
func decided() *accesslogv3.AccessLogFilter {
	return metadataFilter(modelKey, &matcherv3.ValueMatcher{
		MatchPattern: &matcherv3.ValueMatcher_StringMatch{StringMatch: matches(".+")},
	})
}

// pruned keeps what was pruned. Most requests are not, and every counter that a
// logger adds to costs Envoy CPU, also where it
// adds nothing.
func pruned() *accesslogv3.AccessLogFilter {
	const ever = 1 << 53 // more than any body has bytes
	return metadataFilter("bytes_saved", &matcherv3.ValueMatcher{MatchPattern: &matcherv3.ValueMatcher_DoubleMatch{
		DoubleMatch: &matcherv3.DoubleMatcher{MatchPattern: &matcherv3.DoubleMatcher_Range{
			Range: &typev3.DoubleRange{Start: 1, End: ever},
		}},
	}})
}

// enforced keeps what went out as it was decided; in shadow mode nothing is saved.
func enforced() *accesslogv3.AccessLogFilter {
	return metadataFilter("mode", &matcherv3.ValueMatcher{
		MatchPattern: &matcherv3.ValueMatcher_StringMatch{StringMatch: matches(decision.ModeEnforce)},
	})
}

// metadataFilter keeps the entries whose decision has a value.
func metadataFilter(key string, value *matcherv3.ValueMatcher) *accesslogv3.AccessLogFilter {
	return &accesslogv3.AccessLogFilter{FilterSpecifier: &accesslogv3.AccessLogFilter_MetadataFilter{
		MetadataFilter: &accesslogv3.MetadataFilter{
			Matcher: &matcherv3.MetadataMatcher{
				Filter: decision.Namespace,
				Path: []*matcherv3.MetadataMatcher_PathSegment{{
					Segment: &matcherv3.MetadataMatcher_PathSegment_Key{Key: key},
				}},
				Value: value,
			},
			MatchIfKeyNotFound: wrapperspb.Bool(false),
		},
	}}
}

func both(one, other *accesslogv3.AccessLogFilter) *accesslogv3.AccessLogFilter {
	return &accesslogv3.AccessLogFilter{FilterSpecifier: &accesslogv3.AccessLogFilter_AndFilter{
		AndFilter: &accesslogv3.AndFilter{Filters: []*accesslogv3.AccessLogFilter{one, other}},
	}}
}

// requestsOf keeps the requests to an API, whatever became of them.
func requestsOf(api api) *accesslogv3.AccessLogFilter {
	return both(headerFilter(exactHeader(":method", "POST")), headerFilter(targetHeader(api.Path)))
}

func headerFilter(header *routev3.HeaderMatcher) *accesslogv3.AccessLogFilter {
	return &accesslogv3.AccessLogFilter{FilterSpecifier: &accesslogv3.AccessLogFilter_HeaderFilter{
		HeaderFilter: &accesslogv3.HeaderFilter{Header: header},
	}}
}

// statsLog adds to counters by model, tier, category and source.
func (g *generator) statsLog(filter *accesslogv3.AccessLogFilter, counters []*statslogv3.Config_Counter) *accesslogv3.AccessLog {
	config := &statslogv3.Config{StatsScope: &typev3.Scope{Prefix: own}, Counters: counters}
	return g.accessLog("envoy.access_loggers.stats", config, filter)
}

// decisionCounters are pointsman.requests and pointsman.prompt_tokens.
func decisionCounters() []*statslogv3.Config_Counter {
	return []*statslogv3.Config_Counter{
		{Stat: decisionStat("requests"), ValueFixed: wrapperspb.UInt64(1)},
		{Stat: decisionStat("prompt_tokens"), ValueFormat: metadata("prompt_tokens")},
	}
}

// pruningCounters are pointsman.tokens_saved, pointsman.bytes_saved,
// pointsman.replaced and pointsman.trimmed.
func pruningCounters() []*statslogv3.Config_Counter {
	keys := []string{"tokens_saved", "bytes_saved", "replaced", "trimmed"}
	counters := make([]*statslogv3.Config_Counter, len(keys))
	for i, key := range keys {
		counters[i] = &statslogv3.Config_Counter{Stat: decisionStat(key), ValueFormat: metadata(key)}
	}
	return counters
}

func decisionStat(name string) *statslogv3.Config_Stat {
	keys := []string{modelKey, "tier", "category", "source"}
	tags := make([]*statslogv3.Config_Tag, len(keys))
	for i, key := range keys {
		tags[i] = &statslogv3.Config_Tag{Name: key, ValueFormat: metadata(key)}
	}
	return &statslogv3.Config_Stat{Name: name, Tags: tags}
}

// logBuffer is how much of the log goes into a message, in bytes. Envoy's own,
// 16 KiB, is a message for every fifth request, which is a twentieth of what a
// small request costs (measured).
const logBuffer = 64 << 10

// outcomeLog sends finished requests to pointsman's access-log service. What
// Envoy knows about pointsman's own part of a request is in the filter state.
func outcomeLog() *grpclogv3.HttpGrpcAccessLogConfig {
	return &grpclogv3.HttpGrpcAccessLogConfig{CommonConfig: &grpclogv3.CommonGrpcAccessLogConfig{
		LogName:                 own,
		TransportApiVersion:     corev3.ApiVersion_V3,
		GrpcService:             pointsmanService(),
		BufferFlushInterval:     seconds(logFlushInterval),
		BufferSizeBytes:         wrapperspb.UInt32(logBuffer),
		FilterStateObjectsToLog: []string{pointsmanFilter},
	}}
}
