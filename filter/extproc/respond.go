package extproc

import (
	"strconv"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/dialect"
)

// phase is the message that an answer answers: Envoy takes each kind of message
// answered by its own kind.
type phase uint8

const (
	inHeaders phase = iota
	inBody
	inTrailers
)

// DetailsPrefix begins the response_code_details of every answer that is
// pointsman's own, in Envoy's access log.
const DetailsPrefix = "pointsman_"

// wantBody lets Envoy go on to the body.
func wantBody() *extprocv3.ProcessingResponse {
	return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestHeaders{}}
}

func (e *exchange) respond(v filter.Verdict, p phase) *extprocv3.ProcessingResponse {
	if v.Answer != nil {
		return immediate(*v.Answer, v.Why)
	}
	common := &extprocv3.CommonResponse{
		HeaderMutation: e.mutation(v),
		// The route is chosen anew, by x-selected-model or without what the
		// client put there.
		ClearRouteCache: len(v.Set) > 0 || e.spoofed(),
	}
	if v.Changed {
		common.BodyMutation = &extprocv3.BodyMutation{Mutation: &extprocv3.BodyMutation_Body{Body: v.Body}}
	}
	response := &extprocv3.ProcessingResponse{}
	switch p {
	case inHeaders:
		response.Response = &extprocv3.ProcessingResponse_RequestHeaders{
			RequestHeaders: &extprocv3.HeadersResponse{Response: common},
		}
	case inBody:
		response.Response = &extprocv3.ProcessingResponse_RequestBody{
			RequestBody: &extprocv3.BodyResponse{Response: common},
		}
	case inTrailers: // there was no body, so nothing can have been changed
		response.Response = &extprocv3.ProcessingResponse_RequestTrailers{
			RequestTrailers: &extprocv3.TrailersResponse{},
		}
	}
	if v.Decision != nil {
		response.DynamicMetadata = &structpb.Struct{Fields: map[string]*structpb.Value{
			decision.Namespace: structpb.NewStructValue(decision.Metadata(v.Decision)),
		}}
	}
	return response
}

func (e *exchange) mutation(v filter.Verdict) *extprocv3.HeaderMutation {
	mutation := &extprocv3.HeaderMutation{RemoveHeaders: v.Remove}
	for _, header := range v.Set {
		mutation.SetHeaders = append(mutation.SetHeaders, set(header.Name, header.Value))
	}
	// Envoy answers 500 where the length that the client announced no longer
	// fits, failing open or not. A chunked body announces none.
	if v.Changed && e.header("content-length") != "" {
		mutation.SetHeaders = append(mutation.SetHeaders, set("content-length", strconv.Itoa(len(v.Body))))
	}
	return mutation
}

func immediate(answer dialect.Response, why string) *extprocv3.ProcessingResponse {
	return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_ImmediateResponse{
		ImmediateResponse: &extprocv3.ImmediateResponse{
			Status: &typev3.HttpStatus{Code: typev3.StatusCode(answer.Status)}, //nolint:gosec // three digits
			// Envoy's own default is text/plain.
			Headers: &extprocv3.HeaderMutation{SetHeaders: []*corev3.HeaderValueOption{set("content-type", dialect.ContentType)}},
			Body:    answer.Body,
			Details: DetailsPrefix + why,
		},
	}}
}

func set(name, value string) *corev3.HeaderValueOption {
	return &corev3.HeaderValueOption{
		Header:       &corev3.HeaderValue{Key: name, RawValue: []byte(value)},
		AppendAction: corev3.HeaderValueOption_OVERWRITE_IF_EXISTS_OR_ADD,
	}
}
