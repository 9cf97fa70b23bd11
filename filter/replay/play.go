package replay

import "fmt"

// outcome is what became of one session: a record of each policy in each regime.
// Policies that know nothing of prices have the same one in all of them.
type outcome struct {
	*session

	records [][policies]*record // by regime
	checks  Checks
	broken  []string // the promises that were broken, in words
}

// player is a policy going through a session.
type player struct {
	observer

	what string
	send func(body []byte, pieces int) ([]*piece, error)
}

// play sends a session's requests by every policy, side by side: of a long
// session only one body is held at a time.
func (r *Replay) play(s *session) (*outcome, error) {
	h := newHistory(s)
	check := &checker{}
	players, records := r.players(h, check)
	err := r.requests(h, players, check)
	for _, p := range players {
		p.done()
	}
	o := &outcome{session: s, records: records, checks: check.Checks, broken: check.broken}
	return o, err
}

func (r *Replay) requests(h *history, players []*player, check *checker) error {
	var body []byte
	for i, pieces := range h.calls {
		body = h.body(body, r.model, pieces)
		for _, p := range players {
			check.where = fmt.Sprintf("%v: call %d%s", h.session, i+1, p.what)
			sent, err := p.send(body, pieces)
			if err != nil {
				return fmt.Errorf("%s: %w", check.where, err)
			}
			p.observe(h, sent)
		}
	}
	return nil
}

// players are the policies, those that know of prices once for each regime.
func (r *Replay) players(h *history, check *checker) (players []*player, records [][policies]*record) {
	add := func(p *player) *record {
		p.risk = newRisk(h)
		players = append(players, p)
		return &p.record
	}
	recorded := add(&player{send: func(_ []byte, pieces int) ([]*piece, error) { return h.pieces[:pieces], nil }})
	inBatches := add(byRule(h, batches(r.keep)))
	slid := add(byRule(h, sliding))
	for _, l := range r.lives {
		even := add(byRule(h, breakEven(r.keep, l.regime)))
		p := &player{what: " at " + l.regime.String()}
		pruned := add(p)
		p.send = (&liveSession{live: l, history: h, checker: check, told: pruned}).send
		records = append(records, [policies]*record{
			none: recorded, configured: pruned, byEven: even, byBatches: inBatches, bySliding: slid,
		})
	}
	return players, records
}

func byRule(h *history, how rule) *player {
	b := &baseline{history: h, rule: how}
	return &player{send: func(_ []byte, pieces int) ([]*piece, error) { return b.send(pieces), nil }}
}
