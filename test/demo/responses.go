package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	api "github.com/openai/openai-go/v3/responses"
)

// responses is a dialogue over OpenAI's Responses, which holds no state at the
// provider: every request has all of it.
type responses struct {
	service api.ResponseService
	system  string
	input   api.ResponseInputParam
}

func newResponses(url, system string, client *http.Client) dialogue {
	return &responses{service: api.NewResponseService(openaiOptions(url, client)...), system: system}
}

func (r *responses) human(text, image string) {
	if image == "" {
		r.input = append(r.input, api.ResponseInputItemParamOfMessage(text, api.EasyInputMessageRoleUser))
		return
	}
	picture := api.ResponseInputContentParamOfInputImage(api.ResponseInputImageDetailAuto)
	picture.OfInputImage.ImageURL = openai.String(dataURL(image))
	r.input = append(r.input, api.ResponseInputItemParamOfMessage(api.ResponseInputMessageContentListParam{
		api.ResponseInputContentParamOfInputText(text), picture,
	}, api.EasyInputMessageRoleUser))
}

func (r *responses) results(done []result) {
	for _, one := range done {
		output := api.ResponseInputItemParamOfFunctionCallOutput(one.tool.result)
		output.OfFunctionCallOutput.CallID = openai.String(one.id)
		r.input = append(r.input, output)
	}
	for _, reminder := range reminders(done) {
		r.human(reminder, "")
	}
}

func (r *responses) ask(ctx context.Context, q question) (*reply, error) {
	params := api.ResponseNewParams{
		Model: q.model, Instructions: openai.String(r.system), Tools: r.offered(), Store: openai.Bool(false),
		Input: api.ResponseNewParamsInputUnion{OfInputItemList: r.input},
	}
	answer, err := r.complete(ctx, params, q)
	if err != nil {
		return nil, err
	}
	usage := answer.Usage
	got := &reply{model: answer.Model, prompt: usage.InputTokens, cached: usage.InputTokensDetails.CachedTokens, output: usage.OutputTokens}
	for _, item := range answer.Output {
		if item.Type == "function_call" {
			called := item.AsFunctionCall()
			got.calls = append(got.calls, call{called.CallID, called.Name})
			r.input = append(r.input, api.ResponseInputItemParamOfFunctionCall(called.Arguments, called.CallID, called.Name))
		}
	}
	if said := answer.OutputText(); said != "" {
		r.input = append(r.input, api.ResponseInputItemParamOfMessage(said, api.EasyInputMessageRoleAssistant))
	}
	return got, nil
}

func (r *responses) complete(ctx context.Context, params api.ResponseNewParams, q question) (*api.Response, error) {
	name := option.WithHeader(headerRequest, q.name)
	if !q.stream {
		return r.service.New(ctx, params, name)
	}
	stream := r.service.NewStreaming(ctx, params, name)
	defer func() { _ = stream.Close() }()
	var whole *api.Response
	for stream.Next() {
		if event := stream.Current(); event.Type == "response.completed" {
			whole = &event.Response
		}
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	if whole == nil {
		return nil, errors.New("the stream ends without a completed response")
	}
	return whole, nil
}

func (*responses) offered() []api.ToolUnionParam {
	params := make([]api.ToolUnionParam, 0, len(tools))
	for _, t := range tools {
		offer := api.ToolParamOfFunction(t.name, t.schema(), false)
		offer.OfFunction.Description = openai.String(t.description)
		params = append(params, offer)
	}
	return params
}
