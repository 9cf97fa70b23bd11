package selection_test

import (
	"errors"
	"fmt"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/selection"
)

// exampleCatalogue is a catalogue of three models; see fixture_test.go.
func exampleCatalogue() *selection.Catalogue {
	cfg, err := config.Parse("pointsman.yaml", []byte(threeModels))
	if err != nil {
		panic(err)
	}
	c, err := selection.New(cfg)
	if err != nil {
		panic(err)
	}
	return c
}

func ExampleCatalogue_Select() {
	c := exampleCatalogue()
	target, err := c.Resolve("auto", conversation.OpenAIChat)
	if err != nil {
		panic(err)
	}
	result, err := c.Select(target, selection.Work{
		API:          conversation.OpenAIChat,
		Tier:         decision.Simple,
		PromptTokens: 130_000,
		Needs:        conversation.Tools,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Model.GetName())
	for _, candidate := range result.Candidates {
		fmt.Printf("%s: $%.5f %q\n", candidate.GetModel(), candidate.GetCost(), candidate.GetReason())
	}
	// Output:
	// medium
	// small: $0.00000 "context window: needs 140,596 tokens of 128,000"
	// medium: $0.07992 ""
	// large: $0.40200 ""
}

func ExampleRefusedError() {
	c := exampleCatalogue()
	target, err := c.Resolve("fast", conversation.OpenAIChat)
	if err != nil {
		panic(err)
	}
	_, err = c.Select(target, selection.Work{API: conversation.OpenAIChat, Tier: decision.Simple, PromptTokens: 2_000_000})
	if refusal, ok := errors.AsType[*selection.RefusedError](err); ok && refusal.Kind == selection.KindWindow {
		fmt.Printf("prompt is too long: %d tokens > %d maximum\n", refusal.Tokens, refusal.Maximum)
	}
	// Output:
	// prompt is too long: 2000000 tokens > 948480 maximum
}
