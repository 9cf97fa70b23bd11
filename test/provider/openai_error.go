package provider

type openAIErrorBody struct {
	Error openAIError `json:"error"`
}

type openAIError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

// openAIFailure is the error body that OpenAI's APIs share; what is not known
// is null.
func openAIFailure(f failure) any {
	body := openAIErrorBody{Error: openAIError{Message: f.message, Type: f.kind}}
	if f.param != "" {
		body.Error.Param = &f.param
	}
	if f.code != "" {
		body.Error.Code = &f.code
	}
	return body
}
