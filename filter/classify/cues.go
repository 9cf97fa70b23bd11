package classify

import "github.com/pointsman/pointsman/filter/decision"

// A cue is something that a phrase tells about a message. The word tables say
// which phrases give which cue in each language; the weights below say what a
// cue means, in all languages alike.
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

// weight is what one cue says.
type weight struct {
	category decision.Category
	points   float64 // for the category
	tier     float64 // steps of a tier, up or down
}

// weights says what each cue means. A cue without a row here, such as thanks,
// matters only to how a message follows its prior turn, or within a rule.
var weights = [cueCount]weight{
	greeting:     {decision.Chat, 2.0, 0},
	smallTalk:    {decision.Chat, 3.0, 0},
	thanks:       {decision.Chat, 2.0, 0},
	farewell:     {decision.Chat, 2.0, 0},
	stop:         {decision.Chat, 1.0, 0},
	newTopic:     {decision.Chat, 0.9, 0},
	lookup:       {decision.FactualQA, 1.6, 0},
	explain:      {decision.FactualQA, 2.2, 0.6},
	domain:       {decision.FactualQA, 0.6, 0.22},
	exam:         {decision.FactualQA, 1.2, -0.2},
	summarize:    {decision.Summarization, 3.6, 0.1},
	rewrite:      {decision.Rewriting, 3.6, 0},
	translate:    {decision.Translation, 4.0, 0},
	convert:      {decision.Extraction, 1.5, 0},
	extract:      {decision.Extraction, 3.2, 0},
	brainstorm:   {decision.Brainstorming, 3.0, 0},
	creative:     {decision.Creative, 3.2, 0},
	essay:        {decision.Creative, 1.8, 0.3},
	makes:        {decision.CodingGeneral, 0.2, 0.15},
	implement:    {decision.CodingGeneral, 1.8, 0.2},
	code:         {decision.CodingGeneral, 1.6, 0.1},
	language:     {decision.CodingGeneral, 1.5, 0},
	howTo:        {decision.CodingGeneral, 0.3, 0},
	review:       {decision.CodeReview, 3.2, 0},
	debug:        {decision.Debugging, 2.3, 0.1},
	symptom:      {decision.Debugging, 2.0, 0.5},
	refactor:     {decision.Refactoring, 3.8, 0},
	tests:        {decision.Testing, 3.0, 0},
	docs:         {decision.Documentation, 3.2, 0},
	design:       {decision.SystemDesign, 2.0, 0.1},
	architecture: {decision.SystemDesign, 2.4, 0.3},
	scale:        {decision.SystemDesign, 0.9, 0.3},
	data:         {decision.DataAnalysis, 2.1, 0.1},
	arithmetic:   {decision.Math, 2.2, 0},
	mathematics:  {decision.Math, 2.0, 0.4},
	hardMath:     {decision.Math, 2.6, 1.5},
	prove:        {decision.Proof, 4.6, 0.6},
	theorem:      {decision.Proof, 1.7, 0.5},
	logic:        {decision.Proof, 2.8, 0.9},
	algorithm:    {decision.CodingGeneral, 1.2, 0.35},
	contest:      {decision.CodingGeneral, 1.4, 1.3},
	agentVerb:    {decision.Agentic, 1.9, 0},
	agentTask:    {decision.Agentic, 3.0, 0.1},
	manyFiles:    {decision.CodingGeneral, 0.3, 0.7},
	constraint:   {tier: 0.2},
	big:          {tier: 0.25},
	small:        {tier: -0.45},
}

// Some cues tell more about what a text is about, or what form the result
// takes, than about what is to be done. They weigh fully only for their own
// category.
var (
	subjects  = setOf(explain, essay, domain, data, mathematics, hardMath, prove, theorem, logic, algorithm, contest)
	machinery = setOf(docs, architecture, scale, debug, symptom, code)
	demands   = setOf(constraint, makes, having)
)

// profile says how hard the work of a category is, on a scale on which each
// tier is one step: 0 to 1 is simple, 3 to 4 is reasoning.
type profile struct {
	// base is where it stands before anything else is known. Nothing lowers it
	// under the floor; the ceiling is approached, not passed, and lifted where
	// deduction is asked for.
	base, floor, ceiling float64
	// How much cues of other categories weigh in it.
	subjects, machinery, demands float64
}

var profiles = map[decision.Category]profile{
	decision.Chat:          {0.2, 0, 1.4, 0.2, 0.2, 1},
	decision.FactualQA:     {0.45, 0, 2.8, 0.35, 0.35, 0.3},
	decision.Summarization: {1.15, 0.6, 2.8, 0.35, 0.35, 1},
	decision.Rewriting:     {0.6, 0.2, 2.6, 0.3, 0.2, 1},
	decision.Translation:   {0.5, 0.2, 2.6, 0.3, 0.2, 1},
	decision.Extraction:    {1.1, 0.5, 2.8, 0.3, 0.3, 1},
	decision.Brainstorming: {1.25, 0.8, 2.6, 0.3, 0.3, 1},
	decision.Creative:      {1.25, 0.8, 2.8, 0.3, 0.2, 0.5},
	decision.CodingGeneral: {1.15, 0.4, 2.9, 0.5, 0.8, 1},
	decision.CodeReview:    {1.4, 1.0, 2.9, 0.5, 0.6, 1},
	decision.Debugging:     {1.25, 0.8, 2.9, 0.4, 0.5, 1},
	decision.Refactoring:   {1.3, 0.5, 2.9, 0.5, 0.8, 1},
	decision.Testing:       {1.3, 0.8, 2.9, 0.4, 0.5, 1},
	decision.Documentation: {1.25, 0.5, 2.8, 0.3, 0.4, 1},
	decision.SystemDesign:  {2.1, 1.2, 2.9, 0.6, 1, 1},
	decision.DataAnalysis:  {1.35, 0.8, 2.9, 0.7, 0.5, 1},
	decision.Math:          {0.75, 0.2, hardest, 1, 0.3, 0.3},
	decision.Proof:         {3.0, 2.8, hardest, 1, 0.3, 1},
	decision.Agentic:       {1.35, 0.6, 2.9, 0.4, 0.5, 1},
}
