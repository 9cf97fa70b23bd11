package provider

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// invalidRequest is the kind of an error that is the client's fault, in every
// API.
const invalidRequest = "invalid_request_error"

// An exchange is one request of an API and the way to its answer.
type exchange struct {
	w       http.ResponseWriter
	manners manners
	api     *api
	body    []byte
}

func (p *Provider) serveAPI(ctx context.Context, x exchange) {
	if !p.before(ctx, x.manners) {
		return
	}
	asked, err := x.api.read(x.body)
	switch {
	case x.manners.status != 0:
		x.fail(toldToFail(x.manners.status))
	case err != nil:
		x.fail(failure{status: http.StatusBadRequest, kind: invalidRequest, message: err.Error()})
	case !p.models[asked.model]:
		x.fail(unknownModel(p.name, asked.model))
	case asked.stream:
		p.stream(ctx, x, p.answer(asked, x.body))
	case x.manners.fault == FaultEndless:
		<-ctx.Done()
	default:
		writeJSON(x.w, http.StatusOK, x.api.whole(p.answer(asked, x.body)))
	}
}

func (x exchange) fail(f failure) { writeJSON(x.w, f.status, x.api.failure(f)) }

// toldToFail is the error that a client library sees in place of the real
// thing: the status decides what it makes of it.
func toldToFail(status int) failure {
	kind := invalidRequest
	switch {
	case status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case status >= http.StatusInternalServerError:
		kind = "server_error"
	}
	return failure{status: status, kind: kind, message: fmt.Sprintf("told to answer %d by %s", status, HeaderStatus)}
}

func unknownModel(provider, model string) failure {
	return failure{
		status: http.StatusNotFound, kind: invalidRequest, code: "model_not_found", param: "model",
		message: fmt.Sprintf("provider %q serves no model %q", provider, model),
	}
}

// answer is what the model says: a tool call where one is asked for, a text
// otherwise.
func (p *Provider) answer(asked ask, body []byte) answer {
	serial := p.serial.Add(1)
	a := answer{ask: asked, id: fmt.Sprintf("%s-%d", p.name, serial), created: time.Now().Unix()}
	a.calls = toolCalls(asked, a.id)
	if len(a.calls) == 0 {
		a.text = reply(asked)
	}
	said := len(a.text)
	for _, made := range a.calls {
		said += len(made.name) + len(made.arguments)
	}
	a.usage = usage{prompt: tokens(len(body)), cached: p.cache.read(asked.model, body), completion: tokens(said)}
	return a
}
