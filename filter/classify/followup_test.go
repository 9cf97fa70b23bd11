package classify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/decision"
)

// hardTurn is complex debugging work, as an agent reports it.
const hardTurn = "I traced it: two goroutines take the pool lock and the lease lock in opposite order, so under load they deadlock " +
	"in production only. The fix touches pool.go, lease.go and the retry loop."

func TestFollowUpsInherit(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	for message := range strings.SplitSeq("ok|yes|y|sounds good|yeah do that|next step|and the tests?|make it faster|use postgres instead|"+
		"it still fails|same error|still broken|option b|main.py|42|explain the last line|why?|are you sure?|commit and push|ship it|"+
		"looks good to me, merge it|no, the other file|approved|👍|genau so|nochmal bitte|und jetzt in Java|对，就这样改|再试一次|"+
		"次のステップへ|vale, hazlo|ahora en Python|ok vas-y pour la deuxième option|давай|продолжай|네 계속해 주세요|"+
		"fix the remaining ones|what does that mean for the retry loop?|ok thanks, go ahead|thanks, now do the same for the lease|"+
		"never mind that approach, use the queue instead", "|") {
		got := classifier.Classify(Input{Message: message, PriorTurn: hardTurn}, Hints{})
		assert.GreaterOrEqual(t, got.Tier, decision.Complex, message)
	}
}

func TestThanksFarewellsAndNewTopicsInheritNothing(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	for message := range strings.SplitSeq("thanks a lot!|thx|ty!|bye|gute nacht|vielen dank für deine hilfe|merci, bonne journée|谢谢你的帮助|"+
		"どうもありがとう|no thanks, that's all|ok great thank you|stop please|forget it|nvm|cancel|hello|good morning|lol|haha nice|"+
		"forget about that. What is the population of Japan?|hey, new question: who won the 2010 world cup|"+
		"what's the weather like in Paris|thanks, that fixed it|great, it works now. thank you|never mind, I figured it out|"+
		"gracias, eso es todo|спасибо|고마워요|好的谢谢|算了，不用了|danke, hat geklappt|what is the capital of Peru", "|") {
		got := classifier.Classify(Input{Message: message, PriorTurn: hardTurn}, Hints{})
		assert.Equal(t, decision.Simple, got.Tier, message)
	}
}

func TestFollowUpKeepsItsCategoryWhereItAsksForOtherWork(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	for message, want := range map[string]decision.Category{
		"do it":                              decision.Debugging,
		"great, now write unit tests for it": decision.Testing,
		"why does it lock twice?":            decision.Debugging,
		"summarize that in two sentences":    decision.Summarization,
	} {
		assert.Equal(t, want, classifier.Classify(Input{Message: message, PriorTurn: hardTurn}, Hints{}).Category, message)
	}
}

func TestPraiseGoesOnOnlyAfterAnOffer(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	offer := "I would move the whole payments platform to event sourcing, with a migration in four phases. Shall I start?"
	assert.Equal(t, decision.Complex, classifier.Classify(Input{Message: "perfect!", PriorTurn: offer}, Hints{}).Tier)
	assert.Equal(t, decision.Simple, classifier.Classify(Input{Message: "perfect!", PriorTurn: hardTurn}, Hints{}).Tier)
}

func TestTheHeavierOfMessageAndPriorTurnCounts(t *testing.T) {
	t.Parallel()
	got := New(decision.Medium, true).Classify(Input{Message: "ok, and prove that it terminates", PriorTurn: "Hello! How can I help?"}, Hints{})
	assert.Equal(t, decision.Reasoning, got.Tier)
	assert.Equal(t, decision.Proof, got.Category)
}
