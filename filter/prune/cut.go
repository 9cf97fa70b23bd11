package prune

import "sort"

// ahead is how many rounds a cut looks ahead at what is still kept. Measured on
// recorded coding sessions, two rounds save as much as three.
const ahead = 2

// cut says whether pruning more pays at this request, and from which entry of
// the old results on.
//
// Of a cut from one result on, with R tokens that it saves and T tokens behind
// it that have to be written to the cache again, and with H calls that they are
// saved at, this one included, the gain is r·R·H − (w−r)·T, where a token read
// from the cache costs r and one written to it w.
func (f *fold) cut() (at int, pays bool) {
	if f.old.empty() {
		return 0, false
	}
	calls := f.expected()
	at = f.best(calls)
	saves := f.old.total() - f.old.entries[at].saved
	behind := f.sent - f.saved - f.old.entries[at].before - saves
	gain := f.read*saves*calls - f.rewrite*behind
	if gain <= 0 || saves < f.minSavings {
		return 0, false
	}
	return at, !f.shouldWait(gain, calls)
}

// settled is how many calls of a tool loop say nothing about its going on.
// Chosen on one half of recorded sessions: with fewer, short talks with people
// lose money, with more, coding agents save less.
const settled = 5

// expected is how many calls there are to gain from: this one, and then as many
// as the tool loop has had since the latest human turn beyond the first few, up
// to what the policy says. A loop that has gone on for long goes on, and a talk
// in which every other turn is a person's may end at any of them. Measured on
// recorded sessions: coding agents save about what they do with a constant, and
// short talks gain a little where a constant loses 2%.
func (f *fold) expected() int { return 1 + min(f.calls, max(f.looped-settled, 0)) }

// best is the place of the cut that gains most where so many calls are left.
func (f *fold) best(calls int) int { return f.old.best(f.read*calls+f.rewrite, f.rewrite) }

// shouldWait reports whether a cut gains more one or two requests later, when
// results that are known already have become old enough to go with it, than a
// cut now and another one then.
func (f *fold) shouldWait(gain, calls int) bool {
	for d := 1; d <= min(ahead, f.Pruner.rounds, calls-1); d++ {
		first, saves := f.upcoming(d)
		if saves == 0 {
			continue
		}
		grown := d * f.tokens / (f.requests + 1) // what the conversation grows by until then
		now := f.tokens - f.saved
		behind := now - (f.results[first].before - f.saved) - saves + grown
		second := max(f.read*saves*(calls-d)-f.rewrite*behind, 0)
		if f.later(d, now, saves, calls)-f.rewrite*grown > gain+second {
			return true
		}
	}
	return false
}

// upcoming is what becomes old within so many rounds: the first of it, and the
// tokens that pruning all of it saves.
func (f *fold) upcoming(rounds int) (first, saves int) {
	first = max(f.due, f.signed)
	known := f.results[first:]
	end := first + sort.Search(len(known), func(i int) bool { return known[i].round > f.rounds-f.Pruner.rounds+rounds })
	return first, f.savedBefore(end) - f.savedBefore(first)
}

// savedBefore is what pruning all results in front of one would save.
func (f *fold) savedBefore(at int) int {
	if at == 0 {
		return 0
	}
	return f.results[at-1].saved + f.results[at-1].saves
}

// later is the gain of a cut in so many requests, of a conversation that has not
// grown, from the best place, with what will have become old saving so much.
func (f *fold) later(d, now, saves, calls int) int {
	at := f.best(calls - d)
	all := f.old.total() - f.old.entries[at].saved + saves
	behind := now - f.old.entries[at].before - all
	return f.read*all*(calls-d) - f.rewrite*behind
}
