package classify

import "github.com/pointsman/pointsman/filter/decision"

// judgeFramed judges what a frame shows: the message, and the prior turn where
// the message continues it.
func judgeFramed(framed Framed) verdict {
	s := scan(framed.message)
	own := judge(&s, amount(framed.MessageChars, longMessage)+amount(framed.ReferenceChars, longReference)).namedBy(framed.reference)
	if framed.prior == "" {
		return own.alone(&s)
	}
	before := scan(framed.prior)
	prior := judge(&before, 0)
	if !s.continues(own, prior, &before) {
		return own
	}
	return own.inheriting(prior)
}

// How many words a message may have that stands on the one before it.
const (
	fewWords     = 6  // "fix the remaining ones", after other work
	shortAnswer  = 12 // "the blue one", without any phrase that says so
	shortRequest = 24 // "and what about ...?"
	longAssent   = 60 // "yes, but keep ...": the first word says it
)

// continues reports that a message stands on the turn before it.
func (s *signals) continues(own, prior verdict, before *signals) bool {
	points := s.has(proceed) || s.has(backward)
	asks := own.evidence >= faint && own.category != decision.Chat
	offered := before.has(offer) || before.questions > 0
	switch {
	case s.has(newTopic):
		return points && !asks
	case s.onlyOf(praise, polite, thanks, assent) && s.any(praise, thanks) > 0:
		return offered && s.any(praise, assent) > 0
	case s.any(thanks, farewell, stop, smallTalk) > 0 && !points && !asks:
		return false
	case s.has(greeting) && s.onlyOf(greeting, polite):
		return false
	case s.opening.has(assent), s.opening.has(proceed):
		return s.words <= longAssent
	case points:
		return s.words <= shortRequest
	case asks:
		return s.words <= fewWords && !s.makes() && engineering[own.category] && engineering[prior.category]
	default:
		return s.words <= shortAnswer
	}
}

// engineering is work on programs. A few words about it, after more of it, are
// about the same thing.
var engineering = map[decision.Category]bool{
	decision.CodingGeneral: true, decision.CodeReview: true, decision.Debugging: true, decision.Refactoring: true,
	decision.Testing: true, decision.Documentation: true, decision.SystemDesign: true, decision.Agentic: true,
}

// onlyOf reports a message that consists of these cues alone.
func (s *signals) onlyOf(cues ...cue) bool {
	allowed := setOf(cues...)
	for c := range cueCount {
		if s.has(c) && !allowed.has(c) {
			return false
		}
	}
	return s.known > 0 && s.known == s.words
}

// strong is how many points let a follow-up have a category of its own.
const strong = 2.5

// inheriting is the judgement of a message that continues a turn: at least its
// weight, and its category unless the message asks for other work. A question
// about work is part of that work.
func (v verdict) inheriting(prior verdict) verdict {
	if v.evidence < strong || v.category == decision.FactualQA || v.category == decision.Chat {
		v.category = prior.category
	}
	if prior.evidence < faint {
		prior.level = max(prior.level, 1)
	}
	if prior.level > v.level {
		v.level, v.confidence = prior.level, prior.confidence
	}
	return v
}

// alone is the judgement of a message without a prior turn to stand on. One
// that tells to go on with something continues what is not shown: in doubt it
// is no simple thing.
func (v verdict) alone(s *signals) verdict {
	if v.evidence < faint && s.any(proceed, backward) > 0 {
		v.level, v.confidence = max(v.level, 1), 0.3
	}
	return v
}
