package filter

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/dialect"
)

// Admitted is a request whose head has been judged and whose body is wanted.
type Admitted struct {
	*Pipeline

	api     conversation.API
	task    conversation.Task
	request Request
	hints   classify.Hints
}

// Admit judges the head of a request. Either the body is wanted, and admitted
// is set, or there is a verdict already.
func (p *Pipeline) Admit(request Request) (admitted *Admitted, verdict Verdict) {
	if request.listsModels() && p.cfg.GetListModels() {
		return nil, answered(dialect.Models(request.dialect(), p.models()), "list_models")
	}
	endpoint, found := request.endpoint()
	if !found || p.cfg.DefaultModel(string(endpoint.API)) == nil { // no model speaks it
		return nil, passedThrough(nil)
	}
	a := &Admitted{Pipeline: p, api: endpoint.API, task: endpoint.Task, request: request}
	if request.isWebSocket() {
		return nil, a.refuse(upgradeRequired())
	}
	if request.Method != http.MethodPost {
		return nil, passedThrough(nil)
	}
	if problem, refused := a.judgeHead(); refused {
		return nil, a.refuse(problem)
	}
	return a, Verdict{}
}

// judgeHead reads the hints and refuses what the body need not be waited for.
func (a *Admitted) judgeHead() (problem dialect.Problem, refused bool) {
	header := a.request.Header
	if encoding := header("content-encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return unsupportedEncoding(encoding), true
	}
	if length, err := strconv.Atoi(header("content-length")); err == nil && a.TooLarge(length) {
		return bodyTooLarge(a.cfg), true
	}
	if a.cfg.GetHints() == "deny" {
		return dialect.Problem{}, false
	}
	hints, err := classify.ParseHints(
		header(decision.HeaderHintTier), header(decision.HeaderHintCategory), header(decision.HeaderHintContext))
	if err != nil {
		return invalidHint(err), true
	}
	a.hints = hints
	return dialect.Problem{}, false
}

// TooLarge reports whether a body of that many bytes is over the limit, so that
// Decide refuses it unread.
func (a *Admitted) TooLarge(size int) bool { return size > int(a.cfg.GetLimits().GetMaxBodyBytes()) }

// requestedModel is the model that the request asks for, or the one that the
// configuration puts in the place of none.
func (a *Admitted) requestedModel(req *conversation.Request) (name string, named bool) {
	if req.HasModel {
		return req.Model, true
	}
	return a.cfg.GetMissingModel(), a.cfg.GetMissingModel() != ""
}

func (p *Pipeline) models() []dialect.Model {
	listed := p.catalogue.ListModels()
	models := make([]dialect.Model, len(listed))
	for i, m := range listed {
		models[i] = dialect.Model{ID: m.Name, ContextWindow: m.ContextWindow}
	}
	return models
}

// Framed is what the classifier is shown of a body that Decide routes.
func (a *Admitted) Framed(body []byte) (classify.Framed, error) {
	req, err := conversation.Read(a.api, body)
	if err != nil {
		return classify.Framed{}, err
	}
	return classify.Frame(input(req, req.HumanTurn()), a.cfg.GetClassifier().GetContextFraming()), nil
}
