package dialect

// OpenAI's error object, as its API reference has it: `param` and `code` are
// null where there is nothing to say.
type openAIErrorBody struct {
	Error openAIErrorObject `json:"error"`
}

type openAIErrorObject struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

func openAIError(p Problem) Response {
	kind := "invalid_request_error"
	if p.Status >= 500 {
		kind = "server_error"
	}
	return Response{Status: p.Status, Body: marshal(openAIErrorBody{openAIErrorObject{
		Message: p.Message, Type: kind, Param: orNull(p.Param), Code: orNull(p.Code),
	}})}
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
