package classify_test

import (
	"fmt"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/decision"
)

func ExampleClassifier_Classify() {
	classifier := classify.New(decision.Medium, true)
	prior := "Prove that every finite integral domain is a field."
	for _, message := range []string{"yes, go ahead", "thanks!"} {
		result := classifier.Classify(classify.Input{Message: message, PriorTurn: prior}, classify.Hints{})
		fmt.Printf("%s: %s %s\n", message, result.Tier, result.Category)
	}
	// Output:
	// yes, go ahead: reasoning proof
	// thanks!: simple chat
}

func ExampleFrame() {
	framed := classify.Frame(classify.Input{Message: "now the same in Rust", PriorTurn: "Write a parser in Go."}, true)
	fmt.Println(framed.Text)
	// Output:
	// Context: Write a parser in Go.
	// ---
	// Message: now the same in Rust
}

func ExampleParseHints() {
	_, err := classify.ParseHints("hard", "", "")
	fmt.Println(err)
	// Output:
	// header x-pointsman-hint-tier: unknown tier "hard": use simple, medium, complex or reasoning
}
