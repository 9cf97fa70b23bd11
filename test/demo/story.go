package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// What the agent asks for: any model that can do it, or one that is not the
// largest.
const (
	virtualModel      = "auto"
	cheapVirtualModel = "auto-fast"
)

// A story is what the demo plays and finds out.
type story struct {
	rig *rig
	say saying

	report report
}

// tell plays everything: a session, an outage, and what the same session costs
// when nothing is chosen.
func (s *story) tell(ctx context.Context) (err error) {
	if s.report.Sessions, err = s.play(ctx, virtualModel, cheapVirtualModel); err != nil {
		return err
	}
	s.report.CostUSD = cost(s.report.Sessions)
	if s.report.Envoy, err = s.rig.counted(ctx, s.report.Sessions); err != nil {
		return err
	}
	s.say("killing pointsman, and starting it again")
	if s.report.Outage, err = s.outage(ctx); err != nil {
		return err
	}
	s.report.LargestModel = largest(s.rig.cfg.GetModels())
	all, err := s.play(ctx, s.report.LargestModel, s.report.LargestModel)
	s.report.AllLargestCostUSD = cost(all)
	return err
}

// play plays the session over each API.
func (s *story) play(ctx context.Context, model, cheap string) ([]session, error) {
	var played []session
	for _, api := range sessions {
		s.say("playing the session as %s over %s", model, api)
		rows, err := s.session(ctx, api, model, cheap)
		if err != nil {
			return played, fmt.Errorf("%s: %w", api, err)
		}
		played = append(played, session{API: string(api), Rows: rows})
	}
	return played, nil
}

// session plays the script with these models, and reports each request of it.
func (s *story) session(ctx context.Context, api conversation.API, model, cheap string) ([]row, error) {
	client := newAgent(s.rig.url(), api)
	defer client.leave()
	exchanges, err := client.play(ctx, script(model, cheap))
	if err != nil {
		return nil, err
	}
	found, err := records(ctx, s.rig.decisionLog, exchanges)
	if err != nil {
		return nil, err
	}
	var rows []row
	var before *routerv1.Record
	for _, x := range exchanges {
		record := found[x.decisionID()]
		rows = append(rows, s.routed(x, record, before))
		before = record
	}
	return rows, nil
}

// routed reports a request that pointsman decided about.
func (s *story) routed(x *exchange, record, before *routerv1.Record) row {
	d := record.GetDecision()
	r := newRow(x)
	r.decide(record, before)
	s.check(x, verify(x, record))
	arrived := s.rig.onlyModelChanged(x, d)
	s.check(x, arrived)
	r.OnlyModelChanged = arrived == nil
	return r
}

// outage asks while pointsman is down, and again when it is back.
func (s *story) outage(ctx context.Context) ([]row, error) {
	if err := s.rig.killPointsman(); err != nil {
		return nil, err
	}
	down, err := s.lookup(ctx, "down", "lookup in an outage")
	if err != nil {
		return nil, err
	}
	if err = s.rig.startPointsman(ctx); err != nil {
		return nil, err
	}
	if err = s.rig.found(ctx); err != nil {
		return nil, err
	}
	back, err := s.lookup(ctx, "back", "lookup after it")
	if err != nil {
		return nil, err
	}
	found, err := records(ctx, s.rig.decisionLog, []*exchange{back})
	if err != nil {
		return nil, err
	}
	return []row{s.failedOpen(down), s.routed(back, found[back.decisionID()], nil)}, nil
}

// lookup asks something simple in a conversation of its own.
func (s *story) lookup(ctx context.Context, label, asked string) (*exchange, error) {
	client := newAgent(s.rig.url(), conversation.OpenAIChat)
	defer client.leave()
	t := turn{asked: asked, model: virtualModel, says: "What is the default port of Redis?"}
	exchanges, err := client.take(ctx, label, t)
	if err != nil {
		return nil, err
	}
	return exchanges[0], nil
}

// failedOpen reports a request that went on without pointsman, to the default
// model.
func (s *story) failedOpen(x *exchange) row {
	standIn := s.rig.cfg.Model(s.rig.cfg.GetDefaultModel())
	r := newRow(x)
	r.Model = standIn.GetName()
	r.Why = "pointsman is down: Envoy itself puts in the name of the default model"
	if id := x.decisionID(); id != "" {
		s.check(x, fmt.Errorf("decision %s was made while pointsman was down", id))
	}
	if x.answer.model != standIn.GetUpstreamModel() {
		s.check(x, fmt.Errorf("%s answered, want the default model, %s", x.answer.model, standIn.GetUpstreamModel()))
	}
	s.check(x, s.rig.sameButModel(x))
	return r
}

// check keeps what is wrong with an exchange.
func (s *story) check(x *exchange, err error) {
	if err != nil {
		s.report.Problems = append(s.report.Problems, fmt.Sprintf("%s: %v", x, err))
	}
}

// largest is the name of the model of the highest tier; of several, the one
// that costs most.
func largest(models []*configv1.Model) string {
	return slices.MaxFunc(models, func(a, b *configv1.Model) int {
		return cmp.Or(cmp.Compare(tierOf(a), tierOf(b)), cmp.Compare(a.GetPrice().GetInput(), b.GetPrice().GetInput()))
	}).GetName()
}

func tierOf(model *configv1.Model) decision.Tier {
	tier, err := decision.ParseTier(model.GetTier())
	if err != nil {
		panic("demo: " + err.Error()) // the configuration is valid
	}
	return tier
}
