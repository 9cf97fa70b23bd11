package envoy

import (
	"fmt"
	"net/http"
	"strings"

	accesslogv3 "github.com/envoyproxy/go-control-plane/envoy/config/accesslog/v3"
	celv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/access_loggers/filters/cel/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/pointsman/pointsman/filter/dialect"
)

// localReply is an answer that Envoy gives by itself, and what the client of an
// LLM API reads instead.
type localReply struct {
	// details is how the response code details may begin. They tell Envoy's
	// own answers from those that pointsman gives through Envoy, which are in
	// the client's dialect already.
	details []string
	problem dialect.Problem
}

// localReplyTable covers what can go wrong inside Envoy on an API's path.
func (g *generator) localReplyTable() []localReply {
	return []localReply{{
		[]string{"request_payload_too_large"},
		dialect.Problem{
			Status: http.StatusRequestEntityTooLarge, Code: dialect.CodeRequestTooLarge,
			Message: fmt.Sprintf("the request body is larger than the limit of %d bytes", g.GetLimits().GetMaxBodyBytes()),
		},
	}, {
		[]string{"upstream_per_try_idle_timeout", "upstream_per_try_timeout", "upstream_response_timeout"},
		dialect.Problem{
			Status: http.StatusGatewayTimeout, Code: "upstream_timeout",
			Message: "the model provider did not answer in time",
		},
	}, {
		[]string{"upstream_reset_before_response_started", "no_healthy_upstream", "cluster_not_found"},
		dialect.Problem{
			Status: http.StatusServiceUnavailable, Code: "upstream_unavailable",
			Message: "the model provider cannot be reached: try again later",
		},
	}, {
		[]string{"failed_to_inject_credential"},
		dialect.Problem{
			Status: http.StatusInternalServerError, Code: "credential_unavailable",
			Message: "there is no credential for the model provider: the file that should hold it is empty",
		},
	}, {
		[]string{"ext_proc_error", "mismatch_between_content_length"},
		dialect.Problem{
			Status: http.StatusInternalServerError, Code: "routing_failed",
			Message: "the request could not be routed to a model",
		},
	}, {
		[]string{"stream_idle_timeout"},
		dialect.Problem{
			Status: http.StatusRequestTimeout, Code: "request_timeout",
			Message: "the request body did not arrive in time",
		},
	}}
}

// localReplies puts Envoy's own errors into the client's dialect. Paths that
// are not ours keep Envoy's.
func (g *generator) localReplies() *hcmv3.LocalReplyConfig {
	replies := &hcmv3.LocalReplyConfig{}
	for _, api := range g.apisInUse() {
		for _, reply := range g.localReplyTable() {
			answer := dialect.Error(api.API, reply.problem)
			replies.Mappers = append(replies.Mappers, &hcmv3.ResponseMapper{
				Filter:             g.when(reply.expression(api)),
				StatusCode:         wrapperspb.UInt32(status(answer)),
				BodyFormatOverride: bodyOf(answer),
			})
		}
	}
	return replies
}

// when is a filter by a CEL expression.
func (g *generator) when(expression string) *accesslogv3.AccessLogFilter {
	return &accesslogv3.AccessLogFilter{FilterSpecifier: &accesslogv3.AccessLogFilter_ExtensionFilter{
		ExtensionFilter: &accesslogv3.ExtensionFilter{
			Name: "envoy.access_loggers.extension_filters.cel",
			ConfigType: &accesslogv3.ExtensionFilter_TypedConfig{
				TypedConfig: g.pack(&celv3.ExpressionFilter{Expression: expression}),
			},
		},
	}}
}

// expression is the condition of a reply on an API's path.
func (r localReply) expression(api api) string {
	conditions := make([]string, len(r.details))
	for i, details := range r.details {
		conditions[i] = fmt.Sprintf("response.code_details.startsWith(%q)", details)
	}
	return fmt.Sprintf("request.url_path.endsWith(%q) && (%s)", api.Path, strings.Join(conditions, " || "))
}
