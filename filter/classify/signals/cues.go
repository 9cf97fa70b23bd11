package signals

// A cue is something that a phrase tells about a message. The word tables say
// which phrases give which cue in each language; what a cue means is learned,
// for all languages at once.
type cue uint8

// The cues: what a message asks for, how large that is, and how the message
// stands to the turn before it.
const (
	plain cue = iota // a phrase that only looks like another cue

	greeting
	smallTalk
	lookup
	explain
	domain // words of a profession: law, medicine, science, finance
	summarize
	rewrite
	translate
	convert // from one form into another
	extract
	brainstorm
	creative
	essay
	makes     // write, create, add: what kind of thing is said by another cue
	implement // write code, in so many words
	code      // things of programming
	language  // programming languages
	howTo
	review
	debug
	symptom // trouble whose cause is not in sight
	refactor
	tests
	docs
	design
	architecture
	scale // what makes systems hard: consistency, load, failure
	data
	arithmetic
	mathematics
	hardMath
	prove
	theorem // words of proofs, also where none is asked for
	logic
	algorithm
	contest // programming contests and complexity bounds
	agentVerb
	agentTask
	manyFiles
	constraint
	having // what comes with a thing: "with A, B and C"
	big
	small
	exam
	negation // what is not so: "which of these is not"

	polite
	thanks
	farewell
	newTopic
	stop
	praise
	assent
	proceed
	backward // points back at what was said before
	offer

	cueCount
)

// cueSet is a set of cues.
type cueSet uint64

func (s cueSet) has(c cue) bool { return s&(1<<c) != 0 }

func setOf(cues ...cue) cueSet {
	var set cueSet
	for _, c := range cues {
		set |= 1 << c
	}
	return set
}

// openers count only at the opening of a sentence, where they are imperatives:
// "run the tests", but not "in the long run".
var openers = setOf(agentVerb, greeting)
