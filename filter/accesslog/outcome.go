package accesslog

import (
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"
	"unicode/utf8"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	alv3 "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/pointsman/pointsman/filter/config"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// maxText bounds every text of an outcome, in bytes. Envoy's own details stay
// far below it; a path is the client's.
const maxText = 1024

func outcomeOf(entry *httpEntry, call processing, decided bool, cfg *config.Config) (*routerv1.Outcome, error) {
	common, request, response := entry.GetCommonProperties(), entry.GetRequest(), entry.GetResponse()
	start, err := startOf(common)
	return &routerv1.Outcome{
		Kind:            kindOf(entry, call, decided),
		Status:          count(response.GetResponseCode().GetValue()),
		Details:         text(response.GetResponseCodeDetails()),
		Flags:           shortFlags(common.GetResponseFlags()),
		Attempts:        count(common.GetUpstreamRequestAttemptCount()),
		UpstreamCluster: text(common.GetUpstreamCluster()),
		UpstreamAddress: text(address(common.GetUpstreamRemoteAddress())),
		FirstByteMs:     milliseconds(common.GetTimeToFirstDownstreamTxByte()),
		DurationMs:      milliseconds(common.GetDuration()),
		AddedMs:         call.addedMS,
		RequestBytes:    float64(request.GetRequestBodyBytes()),
		ResponseBytes:   float64(response.GetResponseBodyBytes()),
		RequestId:       text(request.GetRequestId()),
		Path:            text(pathOf(entry, cfg)),
		StartTime:       start,
	}, err
}

// startOf is nil, with an error, where the time is none that JSON can say.
func startOf(common *alv3.AccessLogCommon) (*timestamppb.Timestamp, error) {
	start := common.GetStartTime()
	if start == nil {
		return nil, nil //nolint:nilnil // an entry may lack it
	}
	if err := start.CheckValid(); err != nil {
		return nil, fmt.Errorf("start time: %w", err)
	}
	return start, nil
}

// pathOf is the path as the client sent it, before any rewrite of Envoy's
// routes, without query and fragment, which may hold credentials. The generated
// configuration has Envoy keep the original path from providers, and from the
// access log with them: there it is the path without the cluster's path_prefix.
func pathOf(entry *httpEntry, cfg *config.Config) string {
	path := entry.GetRequest().GetOriginalPath()
	if path == "" {
		cluster := cfg.Cluster(entry.GetCommonProperties().GetUpstreamCluster())
		path = strings.TrimPrefix(entry.GetRequest().GetPath(), cluster.GetPathPrefix())
	}
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		return path[:end]
	}
	return path
}

func address(of *corev3.Address) string {
	switch {
	case of.GetSocketAddress() != nil:
		socket := of.GetSocketAddress()
		return net.JoinHostPort(socket.GetAddress(), strconv.FormatUint(uint64(socket.GetPortValue()), 10))
	case of.GetPipe() != nil:
		return "unix://" + of.GetPipe().GetPath()
	default:
		return of.GetEnvoyInternalAddress().GetServerListenerName()
	}
}

// text cuts a text to maxText bytes, between two characters.
func text(s string) string {
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

func count[N uint32 | uint64](n N) int32 { return int32(min(uint64(n), math.MaxInt32)) }

func milliseconds(d *durationpb.Duration) float64 { return measure(float64(d.AsDuration()) / 1e6) }

// measure is a measured quantity: 0 for what cannot have been measured.
func measure(quantity float64) float64 {
	if math.IsInf(quantity, 0) || !(quantity > 0) {
		return 0
	}
	return quantity
}
