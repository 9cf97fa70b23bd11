package extproc

import (
	"strconv"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/dialect"
)

// DetailsPrefix begins the response_code_details of every answer that is
// pointsman's own, in Envoy's access log.
const DetailsPrefix = "pointsman_"

// wantBody lets Envoy go on to the body.
func wantBody() *extprocv3.ProcessingResponse {
	return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestHeaders{}}
}

// answerHead answers the head of a request with a verdict on all of it.
func (e *exchange) answerHead(v filter.Verdict) *sent {
	return e.answer(v, func(common *extprocv3.CommonResponse) *extprocv3.ProcessingResponse {
		return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestHeaders{
			RequestHeaders: &extprocv3.HeadersResponse{Response: common},
		}}
	})
}

// answerBody is its counterpart for a body that came whole. What the body becomes
// is for the caller to add.
func (e *exchange) answerBody(v filter.Verdict) *sent {
	return e.answer(v, func(common *extprocv3.CommonResponse) *extprocv3.ProcessingResponse {
		return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestBody{
			RequestBody: &extprocv3.BodyResponse{Response: common},
		}}
	})
}

func (e *exchange) answer(v filter.Verdict, of func(*extprocv3.CommonResponse) *extprocv3.ProcessingResponse) *sent {
	if v.Answer != nil {
		return &sent{ProcessingResponse: immediate(*v.Answer, v.Why)}
	}
	answer := &sent{ProcessingResponse: of(e.common(v))}
	if v.Decision != nil {
		answer.metadata = decision.Metadata(v.Decision)
	}
	return answer
}

func (e *exchange) common(v filter.Verdict) *extprocv3.CommonResponse {
	return &extprocv3.CommonResponse{
		HeaderMutation: e.mutation(v),
		// The route is chosen anew, by x-selected-model or without what the
		// client put there.
		ClearRouteCache: len(v.Set) > 0 || e.spoofed(),
	}
}

func (e *exchange) mutation(v filter.Verdict) *extprocv3.HeaderMutation {
	mutation := &extprocv3.HeaderMutation{RemoveHeaders: v.Remove}
	for _, header := range v.Set {
		mutation.SetHeaders = append(mutation.SetHeaders, set(header.Name, header.Value))
	}
	// Where the length that the client announced no longer fits, Envoy answers
	// 500 in BUFFERED mode and sends it on in the other, which would cut the
	// upstream's connection in the wrong place. A chunked body announces none.
	if v.Changed() && e.header("content-length") != "" {
		mutation.SetHeaders = append(mutation.SetHeaders, set("content-length", strconv.Itoa(v.Length())))
	}
	return mutation
}

func immediate(answer dialect.Response, why string) *extprocv3.ProcessingResponse {
	// Envoy's own content type is text/plain.
	headers := []*corev3.HeaderValueOption{set("content-type", dialect.ContentType)}
	if answer.RetryAfter > 0 {
		headers = append(headers, set("retry-after", strconv.Itoa(answer.RetryAfter)))
	}
	return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_ImmediateResponse{
		ImmediateResponse: &extprocv3.ImmediateResponse{
			Status:  &typev3.HttpStatus{Code: typev3.StatusCode(answer.Status)}, //nolint:gosec // three digits
			Headers: &extprocv3.HeaderMutation{SetHeaders: headers},
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
