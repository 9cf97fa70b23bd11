package filter

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/prune"
	"github.com/pointsman/pointsman/filter/session"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// facts begins the decision with what is known before anything is decided.
func (a *Admitted) facts(req *conversation.Request, requested string, plan prune.Plan) *decision.Decision {
	principal := a.principal()
	return &decision.Decision{
		Id:             decision.NewID(),
		Api:            string(a.api),
		RequestedModel: requested,
		PromptTokens:   count(req.Tokens),
		PrunedTokens:   count(req.Tokens - plan.Saved),
		TokensSaved:    count(plan.Saved),
		BytesSaved:     count(len(req.Body) - conversation.Length(req.Body, plan.Edits)),
		Replaced:       count(plan.Replaced),
		Trimmed:        count(plan.Trimmed),
		Cuts:           count(plan.Cuts),
		Principal:      principal,
		Session:        string(a.session(req, principal)),
		Stamps:         a.stamps,
		Request: &routerv1.RequestFacts{
			BodyBytes:             count(len(req.Body)),
			Turns:                 count(len(req.Turns)),
			HumanTurns:            count(req.HumanTurns()),
			Tools:                 count(req.ToolCount),
			ToolResults:           count(req.ToolResults()),
			RequestedOutputTokens: count(req.RequestedOutput),
			ContextHintTokens:     count(a.hints.Context),
			Stream:                req.Stream,
			Needs:                 a.needs(req, plan).Names(),
		},
	}
}

// needs is what a model must be capable of, for what is left of a request. A
// conversation in short comes sealed, whatever the body says.
func (a *Admitted) needs(req *conversation.Request, plan prune.Plan) conversation.Capabilities {
	needs := req.NeedsWithout(plan.Images, plan.Documents)
	if a.task == conversation.Compact {
		needs |= conversation.Sealed
	}
	return needs
}

// count is a number as records hold it.
func count(n int) int32 {
	return int32(min(n, math.MaxInt32)) //nolint:gosec // it has just been bounded
}

// principal is who pays, from where the configuration says; empty where nothing
// is configured or nothing is there. A header may hold any byte, and what is not
// UTF-8 could not be sent on in the decision.
func (a *Admitted) principal() string {
	if header := a.cfg.GetPrincipal().GetHeader(); header != "" {
		return strings.ToValidUTF8(a.request.Header(header), string(utf8.RuneError))
	}
	if metadata := a.cfg.GetPrincipal().GetMetadata(); metadata != nil {
		return a.request.Metadata(metadata.GetNamespace(), metadata.GetKey())
	}
	return ""
}

func (a *Admitted) session(req *conversation.Request, principal string) session.Key {
	source := session.Source{
		Header:         a.request.Header,
		Principal:      principal,
		FirstHumanTurn: req.FirstHuman().Text,
	}
	source.PromptCacheKey, _ = req.Parameter("prompt_cache_key")
	source.SessionID, _ = req.Parameter("session_id")
	source.UserID, _ = req.Parameter("metadata.user_id")
	return session.Identify(source)
}
