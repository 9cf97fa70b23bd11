package llm

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/decision"
)

// answer is all that is ever read of what a model says.
type answer struct {
	tier       decision.Tier
	category   decision.Category
	difficulty float64
}

// maxTries bounds how many braces of a text are taken for the beginning of an
// object: each may cost a reading of all that follows.
const maxTries = 32

// readAnswer finds the answer in what a model says: a JSON object, alone or in
// prose, as servers without structured output return it. There must be one, or
// several that say the same; ok is false where there is none, where two differ,
// where one has anything but a tier and a category that exist, and in a thicket of
// braces.
func readAnswer(text string) (found answer, ok bool) {
	for range maxTries {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			return found, ok
		}
		text = text[at:]
		object, size := firstObject(text)
		said, isAnswer, valid := parseAnswer(object)
		switch {
		case !isAnswer:
			size = 1 // what it holds may be one
		case !valid || ok && said != found:
			return answer{}, false
		default:
			found, ok = said, true
		}
		text = text[size:]
	}
	return answer{}, false
}

// firstObject is the JSON object that a text begins with; nil where it begins
// with none.
func firstObject(text string) (object jsontext.Value, size int) {
	decoder := jsontext.NewDecoder(strings.NewReader(text))
	object, err := decoder.ReadValue()
	if err != nil {
		return nil, 0
	}
	return object, int(decoder.InputOffset())
}

// parseAnswer reads an object. It is an answer where it has a category or a tier.
func parseAnswer(object jsontext.Value) (parsed answer, isAnswer, valid bool) {
	var said struct {
		Category   jsontext.Value `json:"category"`
		Tier       jsontext.Value `json:"tier"`
		Difficulty jsontext.Value `json:"difficulty"`
	}
	if err := json.Unmarshal(object, &said); err != nil || said.Category == nil && said.Tier == nil {
		return answer{}, false, false
	}
	var err error
	if parsed.tier, err = decision.ParseTier(text(said.Tier)); err != nil {
		return answer{}, true, false
	}
	if parsed.category, err = decision.ParseCategory(text(said.Category)); err != nil {
		return answer{}, true, false
	}
	parsed.difficulty, valid = difficulty(said.Difficulty, parsed.tier)
	return parsed, true, valid && parsed.tier != decision.NoTier && parsed.category != decision.NoCategory
}

// text is what a JSON string says; empty for every other value and for none.
func text(value jsontext.Value) string {
	var text string
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// difficulty is a number from 0 to 1, or the middle of the tier where there is
// none.
func difficulty(value jsontext.Value, tier decision.Tier) (number float64, ok bool) {
	if value == nil || value.Kind() == jsontext.KindNull {
		return classify.Middle(tier), true
	}
	if json.Unmarshal(value, &number) != nil {
		return 0, false
	}
	return number, number >= 0 && number <= 1
}
