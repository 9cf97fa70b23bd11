package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/config"
)

// live is the real pipeline under one regime.
type live struct {
	regime   Regime
	pipeline *filter.Pipeline
	// other is a second one, which is shown only the last request of a session.
	other *filter.Pipeline
}

// newLive builds the pipeline of a configuration with pruning on, for a regime.
func newLive(cfg *config.Config, r Regime) (l live, err error) {
	cfg = forRegime(cfg, r)
	l.regime = r
	if l.pipeline, err = filter.New(cfg); err != nil {
		return l, err
	}
	l.other, err = filter.New(cfg)
	return l, err
}

// decide is what the pipeline makes of a session's request.
func decide(p *filter.Pipeline, s *session, body []byte) (filter.Verdict, error) {
	admitted, verdict := p.Admit(filter.Request{
		Method:   http.MethodPost,
		Path:     paths[s.api],
		Header:   func(string) string { return "" },
		Metadata: func(string, string) string { return "" },
	})
	if admitted != nil {
		verdict = admitted.Decide(context.Background(), body) // nothing is waited for
	}
	switch {
	case verdict.Answer != nil:
		return verdict, fmt.Errorf("it is answered with %d instead of sent: %s", verdict.Answer.Status, verdict.Answer.Body)
	case verdict.PassedThrough:
		return verdict, fmt.Errorf("no model of the configuration speaks %s", s.api)
	}
	return verdict, nil
}

// liveSession sends a session's requests through the pipeline.
type liveSession struct {
	live
	*history
	*checker

	sent []*piece // the request before
	told *record  // where the decision's numbers go
}

// send is the request that holds the first pieces, as it goes out.
func (l *liveSession) send(body []byte, pieces int) ([]*piece, error) {
	verdict, err := decide(l.pipeline, l.session, body)
	if err != nil {
		return nil, err
	}
	upstream := verdict.Upstream()
	sent, err := l.split(upstream, pieces)
	if err != nil {
		l.failf(&l.OtherChanges, "%v", err)
		return nil, err
	}
	l.told.replaced, l.told.trimmed = int(verdict.Decision.GetReplaced()), int(verdict.Decision.GetTrimmed())
	l.tokens(verdict.Decision)
	l.check(sent)
	l.sent = sent
	if pieces == l.calls[len(l.calls)-1] {
		err = l.repeat(body, upstream)
	}
	return sent, err
}

// check holds a request to the promises.
func (l *liveSession) check(sent []*piece) {
	l.Requests++
	for i, p := range sent {
		if p != l.pieces[i] && (i >= len(l.sent) || p != l.sent[i]) {
			l.piece(i, l.pieces[i], p)
		}
	}
	l.prefix(l.pieces, l.sent, sent)
	l.checker.results(l.pieces, sent, l.told.replaced, l.told.trimmed)
}

// repeat shows the session's last request to a pipeline that has seen none of
// the others.
func (l *liveSession) repeat(body, upstream []byte) error {
	verdict, err := decide(l.other, l.session, body)
	if err == nil && !bytes.Equal(verdict.Upstream(), upstream) {
		l.failf(&l.Stateful, "the last request alone is sent as other bytes than after the others")
	}
	return err
}

// split takes a body apart that was sent.
func (l *liveSession) split(body []byte, pieces int) (sent []*piece, err error) {
	rest, found := l.afterModel(body)
	if !found {
		return nil, errors.New("what stands beside the messages is changed")
	}
	for i := range pieces {
		p, err := l.next(rest, i)
		if err != nil {
			return nil, err
		}
		sent = append(sent, p)
		rest = rest[len(p.raw):]
		end := ","
		if i == pieces-1 {
			end = "]}"
		}
		if rest, found = bytes.CutPrefix(rest, []byte(end)); !found {
			return nil, fmt.Errorf("behind message %d there is something else than was recorded", i)
		}
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("there are more than the %d messages that were recorded", pieces)
	}
	return sent, nil
}

// afterModel is what stands behind the opening bracket of the messages.
func (l *liveSession) afterModel(body []byte) ([]byte, bool) {
	rest, found := bytes.CutPrefix(body, []byte(modelMember))
	if !found {
		return nil, false
	}
	model, err := decoder(rest).ReadValue()
	if err != nil {
		return nil, false
	}
	return bytes.CutPrefix(rest[len(model):], l.session.before)
}

// next is the message that a body goes on with: the one of the request before,
// or the recorded one, or one that has not been seen yet.
func (l *liveSession) next(rest []byte, i int) (*piece, error) {
	if i < len(l.sent) && beginsWith(rest, l.sent[i]) {
		return l.sent[i], nil
	}
	if beginsWith(rest, l.pieces[i]) {
		return l.pieces[i], nil
	}
	raw, err := decoder(rest).ReadValue()
	if err != nil {
		return nil, fmt.Errorf("message %d cannot be read: %w", i, err)
	}
	p, err := takeApart(l.api, bytes.Clone(raw))
	if err != nil {
		return nil, fmt.Errorf("message %d cannot be read: %w", i, err)
	}
	l.words.note(p)
	return p, nil
}

// beginsWith reports whether a text begins with a piece, which is a whole value
// there because it is an object.
func beginsWith(text []byte, p *piece) bool { return bytes.HasPrefix(text, p.raw) }
