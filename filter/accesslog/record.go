package accesslog

import (
	"errors"

	alv3 "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

type httpEntry = alv3.HTTPAccessLogEntry

// finished tells the entry at the end of a request from those that Envoy can be
// asked to write at its start, periodically, or for each attempt.
func finished(entry *httpEntry) bool {
	kind := entry.GetCommonProperties().GetAccessLogType()
	return kind == alv3.AccessLogType_DownstreamEnd || kind == alv3.AccessLogType_NotSet
}

// newRecord reads an entry. The record always stands, with an outcome; an error
// names the parts that could not be read and are left out.
func newRecord(entry *httpEntry, cfg *config.Config) (*routerv1.Record, error) {
	decided, decisionErr := decisionOf(entry)
	processing, processingErr := processingOf(entry)
	outcome, outcomeErr := outcomeOf(entry, processing, isDecided(entry), cfg)
	usage, usageErr := usageOf(entry)
	if usage != nil {
		usage.Cost = cost(usage, cfg.Model(decided.GetModel()).GetPrice())
	}
	return &routerv1.Record{Decision: decided, Outcome: outcome, Usage: usage},
		errors.Join(decisionErr, processingErr, outcomeErr, usageErr)
}

func isDecided(entry *httpEntry) bool {
	return entry.GetCommonProperties().GetMetadata().GetFilterMetadata()[decision.Namespace] != nil
}

func decisionOf(entry *httpEntry) (*routerv1.Decision, error) {
	if !isDecided(entry) {
		return nil, nil //nolint:nilnil // most entries without a decision are in order
	}
	metadata := entry.GetCommonProperties().GetMetadata().GetFilterMetadata()[decision.Namespace]
	return decision.FromMetadata(metadata)
}
