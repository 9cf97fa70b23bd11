package main

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// verify holds what the client saw against what the decision log says.
func verify(x *exchange, record *routerv1.Record) error {
	d, outcome, usage := record.GetDecision(), record.GetOutcome(), record.GetUsage()
	var errs []error
	same := func(what string, got, want any) {
		if got != want {
			errs = append(errs, fmt.Errorf("%s is %v, want %v", what, got, want))
		}
	}
	same("the client's status", x.status, http.StatusOK)
	same("the recorded status", int(outcome.GetStatus()), http.StatusOK)
	same("the recorded outcome", outcome.GetKind(), decision.KindAnswered)
	same("the client's "+decision.HeaderModel, x.header.Get(decision.HeaderModel), d.GetModel())
	same("the answer's model", x.answer.model, d.GetUpstreamModel())
	same("the cluster that answered", outcome.GetUpstreamCluster(), d.GetCluster())
	same("the recorded prompt tokens", int64(usage.GetInputTokens()), x.answer.prompt)
	same("the recorded cached tokens", int64(usage.GetCachedTokens()), x.answer.cached)
	same("the recorded answer tokens", int64(usage.GetOutputTokens()), x.answer.output)
	return errors.Join(errs...)
}
