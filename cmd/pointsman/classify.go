package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/classify/batch"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
)

func newClassifyCommand() *cobra.Command {
	var path string
	command := &cobra.Command{
		Use:   "classify --config FILE",
		Short: "Say what kind of work prompts ask for, and how hard it is",
		Long: `Reads prompts as JSON Lines from standard input and prints what the embedded
model makes of each, in order, on all cores. It opens no port and reads no
credential; an LLM classifier is not asked.

A line of input, of which only "prompt" is needed; an empty prompt gets the
fallback tier of the configuration:
  {"prompt": "...", "prior_turn": "...", "reference": "..."}

A line of output, or "error" for a line that cannot be read; then the exit
status is 1:
  {"category": "...", "tier": "...", "difficulty": 0.42, "confidence": 0.9,
   "source": "classifier"}`,
		Example: `  echo '{"prompt": "Prove it.", "prior_turn": "Is every such group abelian?"}' |
    pointsman classify --config pointsman.yaml

  # What do our prompts ask for?
  pointsman classify --config pointsman.yaml < prompts.jsonl | jq -r .tier | sort | uniq -c`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error { return runClassify(command, path) },
	}
	configFlag(command, &path)
	return command
}

func runClassify(command *cobra.Command, path string) error {
	cfg, err := config.Load(path)
	if err != nil {
		return err
	}
	fallback, err := decision.ParseTier(cfg.GetClassifier().GetFallbackTier())
	if err != nil {
		return err
	}
	if cfg.GetClassifier().GetLlm() != nil {
		_, _ = fmt.Fprintln(command.ErrOrStderr(), "classifier.llm is not asked here: the embedded model classifies")
	}
	classifier := classify.New(fallback, cfg.GetClassifier().GetContextFraming())
	bad, err := batch.Run(classifier, command.InOrStdin(), command.OutOrStdout())
	if err != nil {
		return err
	}
	return allRead(bad)
}
