package filter

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/dialect"
	"github.com/pointsman/pointsman/filter/selection"
)

// refuse answers with a problem, in the dialect of the client's API.
func (a *Admitted) refuse(problem dialect.Problem) Verdict {
	return answered(dialect.Error(a.api, problem), problem.Code)
}

// unresolved is the verdict on a `model` that means nothing here.
func (a *Admitted) unresolved(body []byte, err error) Verdict {
	refusal, ok := errors.AsType[*selection.RefusedError](err)
	if ok && refusal.Kind == selection.KindUnknownModel && a.cfg.GetUnknownModels() == "pass_through" {
		return passedThrough(body, Header{decision.HeaderPass, "1"})
	}
	return a.refuse(unresolvable(err))
}

func malformed(err error) dialect.Problem {
	problem := dialect.Problem{
		Status: http.StatusBadRequest, Code: dialect.CodeMalformedBody, Message: err.Error(),
	}
	if malformed, ok := errors.AsType[*conversation.MalformedError](err); ok {
		problem.Param = malformed.Param
	}
	return problem
}

func missingModel(req *conversation.Request) dialect.Problem {
	message := "`model` is missing: name a model"
	if _, present := req.Parameter("model"); present {
		message = "`model` must be a string"
	}
	return dialect.Problem{
		Status: http.StatusBadRequest, Code: dialect.CodeMissingModel, Param: "model", Message: message,
	}
}

func unresolvable(err error) dialect.Problem {
	return dialect.Problem{
		Status: http.StatusNotFound, Code: dialect.CodeModelNotFound, Param: "model", Message: err.Error(),
	}
}

// unselectable is for a request that no model can take.
func unselectable(req *conversation.Request, err error) dialect.Problem {
	problem := dialect.Problem{Status: http.StatusBadRequest, Code: dialect.CodeUnsupported, Message: err.Error()}
	refusal, ok := errors.AsType[*selection.RefusedError](err)
	if ok && refusal.Kind == selection.KindWindow {
		problem.Code, problem.Param = dialect.CodeContextLength, req.TurnsParam
		problem.Tokens, problem.Maximum = refusal.Tokens, refusal.Maximum
	}
	if ok && refusal.Kind == selection.KindState {
		problem.Param = req.HeldState
	}
	return problem
}

func invalidHint(err error) dialect.Problem {
	return dialect.Problem{Status: http.StatusBadRequest, Code: dialect.CodeInvalidHint, Message: err.Error()}
}

func bodyTooLarge(cfg *config.Config) dialect.Problem {
	return dialect.Problem{
		Status: http.StatusRequestEntityTooLarge, Code: dialect.CodeRequestTooLarge,
		Message: fmt.Sprintf("the request body is larger than the limit of %d bytes", cfg.GetLimits().GetMaxBodyBytes()),
	}
}

func unsupportedEncoding(encoding string) dialect.Problem {
	return dialect.Problem{
		Status: http.StatusUnsupportedMediaType, Code: dialect.CodeUnsupportedEncoding, Param: "content-encoding",
		Message: fmt.Sprintf("content-encoding %.40q is not supported here: send the body as plain JSON", encoding),
	}
}

func upgradeRequired() dialect.Problem {
	return dialect.Problem{
		Status: http.StatusUpgradeRequired, Code: dialect.CodeUpgradeRequired,
		Message: "WebSocket is not supported on this path: send an HTTP POST",
	}
}

// Overloaded is the verdict on a request whose body there is no room for at the
// moment.
func (a *Admitted) Overloaded() Verdict {
	return a.refuse(dialect.Problem{
		Status: http.StatusServiceUnavailable, Code: dialect.CodeOverloaded, RetryAfter: 1,
		Message: "too many requests are being read at once: send this one again in a second",
	})
}
