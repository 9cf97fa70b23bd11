package envoy

import (
	mutationv3 "github.com/envoyproxy/go-control-plane/envoy/config/common/mutation_rules/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/pointsman/pointsman/filter/decision"
)

// externalProcessor has Envoy ask pointsman about requests, and about nothing
// else: what became of them comes back through the access log.
func (g *generator) externalProcessor() *extprocv3.ExternalProcessor {
	return &extprocv3.ExternalProcessor{
		GrpcService:      pointsmanService(),
		FailureModeAllow: !g.duplex(),
		MessageTimeout:   seconds(messageTimeout),
		ProcessingMode:   processingMode(g.bodyMode()),
		// Envoy would otherwise remove the length, and the provider would get
		// chunks.
		AllowContentLengthHeader: g.duplex(),
		MutationRules:            mutationRules(),
		MetadataOptions: &extprocv3.MetadataOptions{
			ReceivingNamespaces:  namespaces(decision.Namespace),
			ForwardingNamespaces: g.principalNamespace(),
		},
	}
}

// duplex reports whether Envoy keeps nothing of a body that it has sent to
// pointsman. A request cannot fail open then, nor be sent to a provider again.
func (g *generator) duplex() bool {
	return g.GetEnvoy().GetBodyMode() == "full_duplex_streamed"
}

func (g *generator) bodyMode() extprocv3.ProcessingMode_BodySendMode {
	if g.duplex() {
		return extprocv3.ProcessingMode_FULL_DUPLEX_STREAMED
	}
	return extprocv3.ProcessingMode_BUFFERED
}

// processingMode shows pointsman a request's head, and its body in the given
// mode. FULL_DUPLEX_STREAMED goes only with trailers, which end a body there.
func processingMode(body extprocv3.ProcessingMode_BodySendMode) *extprocv3.ProcessingMode {
	trailers := extprocv3.ProcessingMode_SKIP
	if body == extprocv3.ProcessingMode_FULL_DUPLEX_STREAMED {
		trailers = extprocv3.ProcessingMode_SEND
	}
	return &extprocv3.ProcessingMode{
		RequestHeaderMode:   extprocv3.ProcessingMode_SEND,
		RequestBodyMode:     body,
		RequestTrailerMode:  trailers,
		ResponseHeaderMode:  extprocv3.ProcessingMode_SKIP,
		ResponseBodyMode:    extprocv3.ProcessingMode_NONE,
		ResponseTrailerMode: extprocv3.ProcessingMode_SKIP,
	}
}

// callPointsman turns pointsman on for route, headers and body.
func (g *generator) callPointsman(route *routev3.Route) {
	g.override(route, &extprocv3.ExtProcOverrides{})
}

// showHeaders turns pointsman on for route, for the headers alone, and always
// failing open: there is no body that could be lost.
func (g *generator) showHeaders(route *routev3.Route) {
	overrides := &extprocv3.ExtProcOverrides{ProcessingMode: processingMode(extprocv3.ProcessingMode_NONE)}
	if g.duplex() {
		overrides.FailureModeAllow = wrapperspb.Bool(true)
	}
	g.override(route, overrides)
}

func (g *generator) override(route *routev3.Route, overrides *extprocv3.ExtProcOverrides) {
	g.enable(route, pointsmanFilter, g.pack(&extprocv3.ExtProcPerRoute{
		Override: &extprocv3.ExtProcPerRoute_Overrides{Overrides: overrides},
	}))
}

// mutableHeaders matches what pointsman may change: its own headers, the hint
// headers, the length of a body that it has rewritten, and the type and retry
// time of an answer that it gives itself (measured: the rules hold for immediate
// responses too). It is short because Envoy refuses expressions that compile to
// more than 100 instructions.
const mutableHeaders = "x-selected-(model|cluster)|x-pointsman-[a-z-]+|content-(length|type)|retry-after"

// mutationRules have Envoy drop every other mutation, and count it as
// rejected_header_mutations.
func mutationRules() *mutationv3.HeaderMutationRules {
	return &mutationv3.HeaderMutationRules{
		DisallowAll:     wrapperspb.Bool(true),
		AllowExpression: regex(mutableHeaders),
	}
}

// principalNamespace is the metadata that pointsman reads the payer from.
func (g *generator) principalNamespace() *extprocv3.MetadataOptions_MetadataNamespaces {
	if namespace := g.GetPrincipal().GetMetadata().GetNamespace(); namespace != "" {
		return namespaces(namespace)
	}
	return nil
}

func namespaces(untyped string) *extprocv3.MetadataOptions_MetadataNamespaces {
	return &extprocv3.MetadataOptions_MetadataNamespaces{Untyped: []string{untyped}}
}

// pointsmanService dials pointsman. With one of two endpoints dead, half of all
// requests failed without these retries.
func pointsmanService() *corev3.GrpcService {
	return &corev3.GrpcService{
		TargetSpecifier: &corev3.GrpcService_EnvoyGrpc_{
			EnvoyGrpc: &corev3.GrpcService_EnvoyGrpc{ClusterName: own},
		},
		RetryPolicy: &corev3.RetryPolicy{
			RetryOn:      "connect-failure,refused-stream,unavailable,reset-before-request",
			NumRetries:   wrapperspb.UInt32(retryAttempts),
			RetryBackOff: &corev3.BackoffStrategy{BaseInterval: seconds(streamRetryBackOff)},
		},
	}
}
