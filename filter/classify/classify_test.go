package classify

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/decision"
)

const (
	hardQuestion = "Prove that every bounded monotone sequence of real numbers converges."
	easyQuestion = "What is the capital of Mongolia?"
)

func TestClassifyTakesBothHintsAsTheyAre(t *testing.T) {
	t.Parallel()
	result := New(decision.Medium, true).Classify(Input{Message: hardQuestion}, Hints{Tier: decision.Simple, Category: decision.Chat})
	assert.Equal(t, Result{
		Sizes: Sizes{MessageBytes: 69}, Tier: decision.Simple, Category: decision.Chat,
		Source: decision.SourceOverride, Difficulty: 0.125, Confidence: 1,
	}, result)
}

func TestClassifyLetsOneHintReplaceItsPart(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	plain := classifier.Classify(Input{Message: hardQuestion}, Hints{})
	assert.Empty(t, plain.Hinted)

	tier := classifier.Classify(Input{Message: hardQuestion}, Hints{Tier: decision.Medium})
	assert.Equal(t, decision.SourceClassifier, tier.Source)
	assert.Equal(t, "tier", tier.Hinted)
	assert.Equal(t, decision.Medium, tier.Tier)
	assert.Equal(t, plain.Category, tier.Category)
	assert.InDelta(t, 1, tier.Confidence, 0)
	// It is as hard as the hinted tier allows.
	assert.InDelta(t, 0.5, tier.Difficulty, 1e-6)
	assert.Less(t, tier.Difficulty, 0.5)

	category := classifier.Classify(Input{Message: hardQuestion}, Hints{Category: decision.Chat})
	assert.Equal(t, "category", category.Hinted)
	assert.Equal(t, decision.Chat, category.Category)
	assert.Equal(t, plain.Tier, category.Tier)
	assert.InDelta(t, plain.Difficulty, category.Difficulty, 0)
}

func TestClassifyKeepsTheRankUnderAHintOfTheSameTier(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	plain := classifier.Classify(Input{Message: easyQuestion}, Hints{})
	hinted := classifier.Classify(Input{Message: easyQuestion}, Hints{Tier: plain.Tier})
	assert.InDelta(t, plain.Difficulty, hinted.Difficulty, 1e-9)
}

func TestClassifyFallsBackWhereThereIsNothingToClassify(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Complex, true)
	assert.Equal(t, Result{
		Tier: decision.Complex, Category: decision.Chat, Source: decision.SourceFallback, Difficulty: 0.625,
	}, classifier.Classify(Input{}, Hints{}))
	assert.Equal(t, Result{
		Tier: decision.Simple, Category: decision.Chat, Source: decision.SourceFallback, Hinted: "tier", Difficulty: 0.125, Confidence: 1,
	}, classifier.Classify(Input{}, Hints{Tier: decision.Simple}))
	assert.Equal(t, decision.SourceOverride, classifier.Classify(Input{}, Hints{Tier: decision.Simple, Category: decision.Math}).Source)
}

func TestClassifyWithoutFramingReadsTheMessageAlone(t *testing.T) {
	t.Parallel()
	in := Input{Message: "yes, go ahead", PriorTurn: hardQuestion}
	assert.Equal(t, decision.Reasoning, New(decision.Medium, true).Classify(in, Hints{}).Tier)
	assert.Equal(t,
		New(decision.Medium, true).Classify(Input{Message: in.Message}, Hints{}),
		New(decision.Medium, false).Classify(in, Hints{}))
}

func TestClassifySeesNoMoreOfThePriorTurnThanTheFrameShows(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("The weather was fine. ", 10)
	in := Input{Message: "yes, go ahead", PriorTurn: filler + hardQuestion}
	cut := Input{Message: "yes, go ahead", PriorTurn: filler[:200]}
	classifier := New(decision.Medium, true)
	assert.Equal(t, classifier.Classify(cut, Hints{}), classifier.Classify(in, Hints{}))
}

func TestClassify_R6_OfAReferenceOnlySizeAndKindCount(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	with := func(reference string) Result {
		return classifier.Classify(Input{Message: "Summarize this for me", Reference: reference}, Hints{})
	}
	harmless, hard := strings.Repeat("It rained. ", 30), strings.Repeat("Prove it!! ", 30)
	assert.Equal(t, with(harmless), with(hard), "what a reference says is not asked for")
	assert.Greater(t, with(strings.Repeat(harmless, 30)).Difficulty, with(harmless).Difficulty)
	assert.Equal(t, decision.Complex, with(strings.Repeat(harmless, 100)).Tier, "a long document")

	code := "func main() {\n\tfmt.Println(answer())\n}\n"
	explain := classifier.Classify(Input{Message: "what about it", Reference: code}, Hints{})
	assert.Equal(t, decision.CodingGeneral, explain.Category)
	// A reference is no prior turn: nothing is inherited from it.
	assert.NotEqual(t, decision.Reasoning, classifier.Classify(Input{Message: "yes, go ahead", Reference: hardQuestion}, Hints{}).Tier)
}

func TestClassifyRanksWithinATier(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	last := 0.0
	for _, message := range []string{
		"hi",
		"What is a mutex?",
		"Write a Python function that merges two sorted lists.",
		"Design a scalable event pipeline with replication, failover and exactly-once delivery.",
		hardQuestion,
	} {
		difficulty := classifier.Classify(Input{Message: message}, Hints{}).Difficulty
		assert.Greater(t, difficulty, last, message)
		last = difficulty
	}
}

func TestClassifyGivesOneAnswerFromManyGoroutines(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	want := classifier.Classify(Input{Message: hardQuestion, PriorTurn: easyQuestion}, Hints{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				assert.Equal(t, want, classifier.Classify(Input{Message: hardQuestion, PriorTurn: easyQuestion}, Hints{}))
			}
		})
	}
	group.Wait()
}
