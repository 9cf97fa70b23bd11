package classify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/decision"
)

// hardTurn is complex debugging work, as an agent reports it, and hardOffer asks
// whether to go on with it.
const (
	hardTurn = "I traced it: two goroutines take the pool lock and the lease lock in opposite order, so under load they deadlock " +
		"in production only. The fix touches pool.go, lease.go and the retry loop."
	hardOffer = "They deadlock in production only, under load: two locks in opposite order. The fix touches pool.go, lease.go " +
		"and the retry loop. Shall I go on?"
)

// share is how many of some messages, separated by bars, get at least a tier
// after a turn.
func share(t *testing.T, messages, prior string, least decision.Tier) float64 {
	t.Helper()
	classifier := New(decision.Medium, true)
	count, all := 0, strings.Split(messages, "|")
	for _, message := range all {
		if got := classifier.Classify(Input{Message: message, PriorTurn: prior}, Hints{}).Tier; got >= least {
			count++
		} else {
			t.Logf("%q after %.30q...: %s", message, prior, got)
		}
	}
	return float64(count) / float64(len(all))
}

func TestFollowUpsInherit(t *testing.T) {
	t.Parallel()
	// Measured: 21 of 24 and 16 of 18. What is missed is, for the most part, an
	// answer that might as well end the talk, such as "ok".
	assert.GreaterOrEqual(t, share(t, "next step|and the tests?|make it faster|use a channel instead|it still fails|same error|still broken|"+
		"explain the last line|why?|are you sure?|commit and push|ship it|looks good to me, merge it|no, the other file|"+
		"nochmal bitte|und jetzt in Java|再试一次|次のステップへ|ahora en Python|fix the remaining ones|"+
		"what does that mean for the retry loop?|ok thanks, go ahead|thanks, now do the same for the lease|"+
		"never mind that approach, use the queue instead", hardTurn, decision.Complex), 0.8)
	assert.GreaterOrEqual(t, share(t, "ok|yes|y|sure|sounds good|yeah do that|yes please|approved|👍|genau so|对，就这样改|vale, hazlo|"+
		"ok vas-y|давай|продолжай|네 계속해 주세요|हाँ, करो|نعم، تابع", hardOffer, decision.Complex), 0.75)
}

func TestThanksFarewellsAndNewTopicsInheritNothing(t *testing.T) {
	t.Parallel()
	// Measured: none of them.
	assert.LessOrEqual(t, share(t, "thanks a lot!|thx|ty!|bye|gute nacht|vielen dank für deine hilfe|merci, bonne journée|谢谢你的帮助|"+
		"どうもありがとう|no thanks, that's all|ok great thank you|stop please|forget it|nvm|cancel|hello|good morning|lol|haha nice|"+
		"forget about that. What is the population of Japan?|hey, new question: who won the 2010 world cup|"+
		"what's the weather like in Paris|thanks, that fixed it|great, it works now. thank you|never mind, I figured it out|"+
		"gracias, eso es todo|спасибо|고마워요|好的谢谢|算了，不用了|danke, hat geklappt|what is the capital of Peru", hardTurn, decision.Medium), 0.05)
}

func TestFollowUpKeepsItsCategoryWhereItAsksForOtherWork(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	after := classifier.Classify(Input{Message: hardOffer}, Hints{}).Category
	for message, want := range map[string]decision.Category{
		"do it":                              after,
		"yes, go ahead":                      after,
		"great, now write unit tests for it": decision.Testing,
	} {
		assert.Equal(t, want, classifier.Classify(Input{Message: message, PriorTurn: hardOffer}, Hints{}).Category, message)
	}
}

func TestTheHeavierOfMessageAndPriorTurnCounts(t *testing.T) {
	t.Parallel()
	got := New(decision.Medium, true).Classify(Input{Message: hardQuestion, PriorTurn: "Hello! How can I help?"}, Hints{})
	assert.Equal(t, decision.Reasoning, got.Tier)
	assert.Equal(t, decision.Proof, got.Category)
}
