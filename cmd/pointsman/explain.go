package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/explain"
)

func newExplainCommand() *cobra.Command {
	var path, requests string
	var options explain.Options
	command := &cobra.Command{
		Use:   "explain --config FILE [--requests FILE]",
		Short: "Say what would become of requests, without sending them",
		Long: `Reads requests as JSON Lines and prints, for each, what live traffic would have
met: the decision with every candidate and why it is out or what it would cost,
the headers that Envoy would set and remove, and the body that would go
upstream. It opens no port and reads no credential; an LLM classifier is not
asked, and the embedded model classifies.

A line of input, of which only "path" is needed:
  {"method": "POST", "path": "/v1/chat/completions", "headers": {}, "body": "..."}

A line of output holds "decision", "immediate_response", "passed_through" or, for
a line that cannot be read, "error"; then the exit status is 1.`,
		Example: `  pointsman explain --config pointsman.yaml --requests requests.jsonl

  # Which model would get this, and why?
  echo '{"path": "/v1/chat/completions", "body": "{\"model\": \"auto\", \"messages\":
    [{\"role\": \"user\", \"content\": \"hi\"}]}"}' | tr -d '\n' |
    pointsman explain --config pointsman.yaml | jq .decision.candidates

  # What was the classifier shown? (prints text of the prompt)
  pointsman explain --config pointsman.yaml --show-input < requests.jsonl`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			return runExplain(command, path, requests, options)
		},
	}
	configFlag(command, &path)
	command.Flags().StringVarP(&requests, "requests", "r", "", "`file` of requests (default: standard input)")
	command.Flags().BoolVar(&options.ShowInput, "show-input", false, "also print what the classifier was shown")
	return command
}

func runExplain(command *cobra.Command, path, requests string, options explain.Options) error {
	cfg, err := config.Load(path)
	if err != nil {
		return err
	}
	pipeline, err := filter.New(cfg)
	if err != nil {
		return err
	}
	in := io.NopCloser(command.InOrStdin())
	if requests != "" {
		if in, err = os.Open(requests); err != nil {
			return fmt.Errorf("open requests: %w", err)
		}
	}
	options.Notes = command.ErrOrStderr()
	if cfg.GetClassifier().GetLlm() != nil {
		_, _ = fmt.Fprintln(options.Notes, "classifier.llm is not asked here: the embedded model classifies, and live tiers may differ")
	}
	bad, err := explain.Run(pipeline, in, command.OutOrStdout(), options)
	if err = errors.Join(err, in.Close()); err != nil {
		return err
	}
	return allRead(bad)
}
