package batch

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/jsonlines"
)

// prompt is a line of input. Names that are not read are left alone: they are
// labels of whoever keeps the lines.
type prompt struct {
	Prompt    string `json:"prompt"`
	PriorTurn string `json:"prior_turn"`
	Reference string `json:"reference"`
}

// answer is a line of output.
type answer struct {
	Category   decision.Category `json:"category"`
	Tier       string            `json:"tier"`
	Difficulty float64           `json:"difficulty"`
	Confidence float64           `json:"confidence"`
	Source     string            `json:"source"`
}

type unreadable struct {
	Error string `json:"error"`
}

// classified is the answer to a line as it is printed; ok is false for one that
// cannot be read.
func classified(classifier *classify.Classifier, line []byte, number int) (out []byte, ok bool) {
	var in prompt
	if err := json.Unmarshal(line, &in); err != nil {
		return printed(unreadable{fmt.Sprintf("line %d: %v", number, jsonlines.Fault(err, "a prompt"))}), false
	}
	result := classifier.Classify(classify.Input{Message: in.Prompt, PriorTurn: in.PriorTurn, Reference: in.Reference}, classify.Hints{})
	return printed(answer{result.Category, result.Tier.String(), result.Difficulty, result.Confidence, result.Source}), true
}

func tooLong(number int) []byte {
	return printed(unreadable{fmt.Sprintf("line %d: longer than %d bytes", number, longestLine)})
}

// printed is a line of output. There is nothing in it that could not be written.
func printed(line any) []byte {
	out, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	return append(out, '\n')
}
