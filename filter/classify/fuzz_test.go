package classify

import (
	"testing"
	"unicode/utf8"

	"github.com/pointsman/pointsman/filter/decision"
)

func FuzzClassify(f *testing.F) {
	for _, turn := range readTurns(f, "testdata/gold.jsonl") {
		f.Add(turn.Message, turn.Prior, turn.Category)
	}
	f.Add("\xff\xfe```\n\\", "\xc3", "\x80")
	f.Add("2024-", "at (", "1.")
	classifiers := []*Classifier{New(decision.Medium, true), New(decision.Reasoning, false)}
	f.Fuzz(func(t *testing.T, message, prior, reference string) {
		for _, classifier := range classifiers {
			in := Input{Message: message, PriorTurn: prior, Reference: reference}
			result := classifier.Classify(in, Hints{})
			if result.Tier < decision.Simple || result.Tier > decision.Reasoning {
				t.Fatalf("tier %d", result.Tier)
			}
			low, high := result.Tier.Difficulty(0), result.Tier.Difficulty(1)
			if !(result.Difficulty >= low && result.Difficulty <= high) {
				t.Fatalf("difficulty %v is not within %s", result.Difficulty, result.Tier)
			}
			if category, err := decision.ParseCategory(string(result.Category)); err != nil || category == decision.NoCategory {
				t.Fatalf("category %q", result.Category)
			}
			if !(result.Confidence >= 0 && result.Confidence <= 1) {
				t.Fatalf("confidence %v", result.Confidence)
			}
			if again := classifier.Classify(in, Hints{}); again != result {
				t.Fatalf("%+v, and then %+v", result, again)
			}
			if text := Frame(in, true).Text; !utf8.ValidString(text) {
				t.Fatalf("invalid text %q", text)
			}
		}
	})
}

func FuzzParseHints(f *testing.F) {
	f.Add("complex", "math", "12")
	f.Add("", "", "99999999999999999999")
	f.Fuzz(func(t *testing.T, tier, category, context string) {
		hints, err := ParseHints(tier, category, context)
		if err != nil && hints != (Hints{}) {
			t.Fatalf("%+v beside the error %v", hints, err)
		}
		if hints.Context < 0 || hints.Context > maxHintedContext {
			t.Fatalf("context %d", hints.Context)
		}
	})
}
