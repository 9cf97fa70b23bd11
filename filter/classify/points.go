package classify

import "github.com/pointsman/pointsman/filter/decision"

// tally counts points for each category, in the order of categories.
type tally [19]float64

var (
	categories = decision.Categories()

	places = func() map[decision.Category]int {
		at := make(map[decision.Category]int)
		for place, category := range categories {
			at[category] = place
		}
		return at
	}()
)

func (t *tally) add(category decision.Category, points float64) { t[places[category]] += points }

func (t *tally) scale(category decision.Category, by float64) { t[places[category]] *= by }

// best is the category with most points, how many it has, and how many the next.
func (t *tally) best() (category decision.Category, most, second float64) {
	for place, points := range t {
		if points > most {
			category, most, second = categories[place], points, most
		} else {
			second = max(second, points)
		}
	}
	return category, most, second
}

// points counts what the cues say, and then what only several signals together
// say.
func (s *signals) points() tally {
	var t tally
	for c, w := range weights {
		if s.cues[c] > 0 && w.category != decision.NoCategory {
			t.add(w.category, w.points*s.cues[c])
		}
	}
	if s.words-s.known >= 4 {
		t.scale(decision.Chat, 0.3) // a greeting or thanks around something else
	}
	s.addPasted(&t)
	s.addAsking(&t)
	s.addMaking(&t)
	s.addChanging(&t)
	s.yield(&t)
	return t
}

// addPasted adds what pasted material and notation say.
func (s *signals) addPasted(t *tally) {
	if s.code() > 0 {
		t.add(decision.CodingGeneral, 1.2)
	} else {
		t.add(decision.Math, min(0.6*float64(s.notation), 2.4))
	}
	if s.lines[traceLine] > 0 {
		t.add(decision.Debugging, 2.4)
	}
	if s.lines[logLine] >= 3 {
		t.add(decision.Debugging, 1.5)
	}
	if s.lines[fileLine]+s.lines[diffLine] > 0 {
		t.add(decision.CodeReview, 1.6)
	}
	if s.lines[optionLine] >= 3 {
		t.add(decision.FactualQA, 1.0)
	}
	t.add(decision.CodingGeneral, min(0.5*float64(s.paths)+0.2*float64(s.identifiers), 1.0))
}

// addAsking tells a question about a thing from work on it.
func (s *signals) addAsking(t *tally) {
	switch {
	case s.asks() && s.code() == 0:
		t.add(decision.FactualQA, 1.4)
	case s.any(explain, lookup) > 0 && s.code() > 0:
		t.add(decision.CodingGeneral, 1.6)
		t.scale(decision.FactualQA, 0.5)
	}
	if s.has(lookup) && s.numbers >= 2 && s.words > 10 && !s.has(exam) {
		t.add(decision.Math, 2.5) // "if 1 700 steps take 15 minutes, how long ...?"
	}
	if s.has(howTo) && s.any(code, language) > 0 {
		t.add(decision.CodingGeneral, 0.8)
	}
}

// asks reports a question about something: one that begins so, or a short one.
func (s *signals) asks() bool {
	if s.opening&setOf(lookup, explain) != 0 {
		return true
	}
	return s.any(lookup, explain) > 0 && s.words <= 12 && !s.makes() && !s.has(howTo)
}

// addMaking tells what it is that is to be made.
func (s *signals) addMaking(t *tally) {
	if s.makes() {
		if s.any(code, language, implement) > 0 || s.code() > 0 {
			t.add(decision.CodingGeneral, 1.5)
		}
		if s.has(tests) {
			t.add(decision.Testing, 1.5)
		}
		if s.lines[traceLine] == 0 {
			t.scale(decision.Debugging, 0.5) // "with error handling"
		}
	}
	switch {
	case s.opening.has(design) && s.has(algorithm):
		t.add(decision.CodingGeneral, 3.5)
		t.scale(decision.SystemDesign, 0.3)
	case s.opening.has(design) && !s.has(tests):
		t.add(decision.SystemDesign, 1.2)
	case !s.makes() && !s.has(howTo), s.any(creative, essay, tests, docs) > 0:
		t.scale(decision.SystemDesign, 0.5) // parts of a system are only the topic
	}
}

// makes reports a message that begins with the wish to have something made.
func (s *signals) makes() bool {
	return s.opening&setOf(makes, implement, design) != 0
}

// addChanging tells text from programs, where the words for changing both are
// the same.
func (s *signals) addChanging(t *tally) {
	if s.has(rewrite) && (s.any(code, algorithm, scale) > 0 || s.code() > 0) {
		t.add(decision.Refactoring, 2+3*s.cues[rewrite])
	}
	if s.any(translate, convert) > 0 && (s.has(language) || s.code() > 0) {
		t.add(decision.CodingGeneral, 1.5+3*s.any(translate, convert))
	}
}

// yield lets general coding step back: it is what work on code is when nothing
// says more.
func (s *signals) yield(t *tally) {
	for _, special := range []decision.Category{
		decision.CodeReview, decision.Debugging, decision.Refactoring, decision.Testing, decision.Documentation,
	} {
		if t[places[special]] >= 2 {
			t.scale(decision.CodingGeneral, 0.5)
			return
		}
	}
}

// unnamed is the category of a text that says nothing about itself.
func (s *signals) unnamed() decision.Category {
	switch {
	case s.code() > 0:
		return decision.CodingGeneral
	case s.has(makes):
		return decision.Creative
	case s.questions > 0, s.has(howTo), s.words > 20:
		return decision.FactualQA
	default:
		return decision.Chat
	}
}
