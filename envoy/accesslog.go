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
	return append(logs, g.accessLog("envoy.access_loggers.stats", decisionStats(), decided()))
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
	return &accesslogv3.AccessLogFilter{FilterSpecifier: &accesslogv3.AccessLogFilter_MetadataFilter{
		MetadataFilter: &accesslogv3.MetadataFilter{
			Matcher: &matcherv3.MetadataMatcher{
				Filter: decision.Namespace,
				Path: []*matcherv3.MetadataMatcher_PathSegment{{
					Segment: &matcherv3.MetadataMatcher_PathSegment_Key{Key: modelKey},
				}},
				Value: &matcherv3.ValueMatcher{MatchPattern: &matcherv3.ValueMatcher_StringMatch{StringMatch: matches(".+")}},
			},
			MatchIfKeyNotFound: wrapperspb.Bool(false),
		},
	}}
}

// requestsOf keeps the requests to an API, whatever became of them.
func requestsOf(api api) *accesslogv3.AccessLogFilter {
	return &accesslogv3.AccessLogFilter{FilterSpecifier: &accesslogv3.AccessLogFilter_AndFilter{
		AndFilter: &accesslogv3.AndFilter{Filters: []*accesslogv3.AccessLogFilter{
			headerFilter(exactHeader(":method", "POST")),
			headerFilter(targetHeader(api.Path)),
		}},
	}}
}

func headerFilter(header *routev3.HeaderMatcher) *accesslogv3.AccessLogFilter {
	return &accesslogv3.AccessLogFilter{FilterSpecifier: &accesslogv3.AccessLogFilter_HeaderFilter{
		HeaderFilter: &accesslogv3.HeaderFilter{Header: header},
	}}
}

// decisionStats are counters by model, tier, category and source:
// pointsman.requests, pointsman.prompt_tokens, pointsman.tokens_saved,
// pointsman.bytes_saved, pointsman.replaced and pointsman.trimmed.
func decisionStats() *statslogv3.Config {
	return &statslogv3.Config{
		StatsScope: &typev3.Scope{Prefix: own},
		Counters: []*statslogv3.Config_Counter{
			{Stat: decisionStat("requests"), ValueFixed: wrapperspb.UInt64(1)},
			{Stat: decisionStat("prompt_tokens"), ValueFormat: metadata("prompt_tokens")},
			{Stat: decisionStat("tokens_saved"), ValueFormat: metadata("tokens_saved")},
			{Stat: decisionStat("bytes_saved"), ValueFormat: metadata("bytes_saved")},
			{Stat: decisionStat("replaced"), ValueFormat: metadata("replaced")},
			{Stat: decisionStat("trimmed"), ValueFormat: metadata("trimmed")},
		},
	}
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
