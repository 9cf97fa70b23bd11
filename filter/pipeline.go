package filter

import (
	"context"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/classify/llm"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/prune"
	"github.com/pointsman/pointsman/filter/selection"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// Pipeline decides about requests by one configuration. It holds no state
// between requests, but for what an LLM classifier knows of its server, and is
// safe for concurrent use.
type Pipeline struct {
	cfg        *config.Config
	catalogue  *selection.Catalogue
	pruner     *prune.Pruner
	classifier *classify.Classifier
	llm        *llm.Classifier // nil: none is asked
	stamps     *routerv1.Stamps
}

// New builds a pipeline from a valid configuration. It asks no LLM; see Asking.
func New(cfg *config.Config) (*Pipeline, error) {
	catalogue, err := selection.New(cfg)
	if err != nil {
		return nil, err
	}
	fallback, err := decision.ParseTier(cfg.GetClassifier().GetFallbackTier())
	if err != nil {
		return nil, err
	}
	classifier := classify.New(fallback, cfg.GetClassifier().GetContextFraming())
	return &Pipeline{
		cfg:        cfg,
		catalogue:  catalogue,
		pruner:     prune.New(cfg.GetPrune()),
		classifier: classifier,
		stamps: &routerv1.Stamps{
			Config: cfg.Hash, PrunePolicy: cfg.PruneHash, Classifier: classify.Stamp(),
		},
	}, nil
}

// Asking is the same pipeline, but for an LLM that is asked where something is
// classified.
func (p *Pipeline) Asking(asked *llm.Classifier) *Pipeline {
	asking := *p
	asking.llm = asked
	asking.stamps = &routerv1.Stamps{
		Config: p.cfg.Hash, PrunePolicy: p.cfg.PruneHash, Classifier: classify.Stamp() + "+" + asked.Stamp(),
	}
	return &asking
}

// Decide is what pointsman is for: it reads a body, prunes old tool results,
// classifies the work, selects the cheapest model that can do it, and rewrites
// the body's model. Pruning comes before selection, which so sees what is really
// sent (R4). Only an LLM classifier takes its time, for as long as
// its timeout says and no longer than ctx lasts.
func (a *Admitted) Decide(ctx context.Context, body []byte) Verdict {
	if a.TooLarge(len(body)) {
		return a.refuse(bodyTooLarge(a.cfg))
	}
	req, err := conversation.Read(a.api, body)
	if err != nil {
		return a.refuse(malformed(err))
	}
	name, named := a.requestedModel(req)
	if !named {
		return a.refuse(missingModel(req))
	}
	target, err := a.catalogue.Resolve(name, a.api)
	if err != nil {
		return a.unresolved(body, err)
	}
	plan := a.pruner.Plan(req)
	d := a.facts(req, name, plan)
	class := a.classify(ctx, d, req, target)
	result, err := a.catalogue.Select(target, a.work(req, plan, class.Tier))
	if a.shadowed(d, target) {
		return a.shadow(d, req, target, result, err)
	}
	if err != nil {
		return a.refuse(unselectable(req, err))
	}
	return a.enforce(d, req, plan, result)
}

// classify puts tier and category into the decision. A pinned model is the
// client's own choice, and nothing is classified.
func (a *Admitted) classify(
	ctx context.Context, d *decision.Decision, req *conversation.Request, target selection.Target,
) classify.Result {
	if target.Virtual == nil {
		d.Source = decision.SourceOverride
		return classify.Result{}
	}
	d.VirtualModel = target.Virtual.Name
	human := req.HumanTurn()
	class := a.judge(ctx, input(req, human))
	d.Tier, d.Category = class.Tier.String(), string(class.Category)
	d.Source, d.Hinted = class.Source, class.Hinted
	d.Difficulty, d.Confidence = class.Difficulty, class.Confidence
	d.ClassifiedBy, d.LlmUnused = class.By, class.LLMUnused
	// The classifier counts what it was given, which is an excerpt.
	d.Framing = &routerv1.Framing{MessageChars: count(human.Chars), PriorChars: count(class.PriorChars)}
	return class
}

// judge asks the embedded model, and the LLM where there is one. Where one is
// configured and there is none, this is a dry run.
func (a *Admitted) judge(ctx context.Context, in classify.Input) classify.Result {
	if a.llm != nil {
		return a.classifier.Consult(in, a.hints, a.llm.Opinion(ctx))
	}
	class := a.classifier.Classify(in, a.hints)
	if class.By != "" && a.cfg.GetClassifier().GetLlm() != nil {
		class.LLMUnused = llm.DryRun
	}
	return class
}

// input is what the classifier gets of a request: the latest human turn, and
// the turn that it continues (R1, R2).
func input(req *conversation.Request, human conversation.Excerpt) classify.Input {
	return classify.Input{
		Message:   human.Text,
		PriorTurn: req.PriorTurn(classify.IsAcknowledgement).Text,
	}
}

func (a *Admitted) work(req *conversation.Request, plan prune.Plan, tier decision.Tier) selection.Work {
	return selection.Work{
		API:             a.api,
		Tier:            tier,
		PromptTokens:    max(req.Tokens-plan.Saved, a.hints.Context),
		Needs:           a.needs(req, plan),
		HeldState:       req.HeldState,
		AnyWindow:       req.AnyWindow || a.task == conversation.CountTokens,
		RequestedOutput: req.RequestedOutput,
		Parameter:       req.Parameter,
	}
}

// enforce sends the request to the selected model.
func (a *Admitted) enforce(d *decision.Decision, req *conversation.Request, plan prune.Plan, result selection.Result) Verdict {
	d.Mode = decision.ModeEnforce
	a.selected(d, result)
	d.Model = result.Model.GetName()
	upstream := result.Model.GetUpstreamModel()
	d.UpstreamModel = upstream
	d.Cluster = result.Model.GetCluster()
	if req.HasModel && req.Model == upstream {
		return routed(d, req.Body, plan.Edits...)
	}
	return routed(d, req.Body, conversation.Sorted(plan.Edits, req.SetModel(upstream))...)
}

// selected records what selection found.
func (a *Admitted) selected(d *decision.Decision, result selection.Result) {
	d.RequiredTier = result.Required.String()
	d.Candidates = result.Candidates
	d.ExpectedCost = result.Cost
}
