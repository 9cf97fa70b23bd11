package decision

import (
	"fmt"
	"slices"
	"strings"
)

// Category names the kind of work.
type Category string

// The categories.
const (
	NoCategory    Category = ""
	Chat          Category = "chat"
	FactualQA     Category = "factual_qa"
	Summarization Category = "summarization"
	Rewriting     Category = "rewriting"
	Translation   Category = "translation"
	Extraction    Category = "extraction"
	Brainstorming Category = "brainstorming"
	Creative      Category = "creative"
	CodingGeneral Category = "coding_general"
	CodeReview    Category = "code_review"
	Debugging     Category = "debugging"
	Refactoring   Category = "refactoring"
	Testing       Category = "testing"
	Documentation Category = "documentation"
	SystemDesign  Category = "system_design"
	DataAnalysis  Category = "data_analysis"
	Math          Category = "math"
	Proof         Category = "proof"
	Agentic       Category = "agentic"
)

// Categories lists every category.
func Categories() []Category {
	return []Category{
		Chat, FactualQA, Summarization, Rewriting, Translation, Extraction, Brainstorming, Creative,
		CodingGeneral, CodeReview, Debugging, Refactoring, Testing, Documentation, SystemDesign,
		DataAnalysis, Math, Proof, Agentic,
	}
}

// ParseCategory reads a category's name. The empty name is NoCategory.
func ParseCategory(name string) (Category, error) {
	category := Category(name)
	if category == NoCategory || slices.Contains(Categories(), category) {
		return category, nil
	}
	names := make([]string, 0, len(Categories()))
	for _, known := range Categories() {
		names = append(names, string(known))
	}
	return NoCategory, fmt.Errorf("unknown category %q: use one of %s", name, strings.Join(names, ", "))
}
