package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/replay"
)

type replayOptions struct {
	replay.Options

	config, html string
	json         bool
}

func newReplayCommand() *cobra.Command {
	var options replayOptions
	command := &cobra.Command{
		Use:   "replay --config FILE SESSIONS...",
		Short: "Say what pruning would have saved on recorded sessions",
		Long: `Replay sends recorded sessions through the pipeline, as live traffic would go,
and reckons what the input would have cost with and without pruning where the
provider caches prefixes: of each request, the bytes that it begins with like the
request before are read from the cache, and the others are written. Simpler
policies go through the same sessions for comparison. It opens no port, reads no
credential and asks no LLM; prune.enabled need not be true.

A line of a file is a session, of which only "messages" is needed:
  {"session": "name", "messages": [...], "tools": [...], "api": "openai_chat_completions"}

"input" stands for "messages" in Responses; "system" and "instructions" may be
there, too. Without "api" it is told by its shape. Members of messages that begin
with an underscore are left out, and other members of the line are not read.
Files may be compressed with gzip or xz; "-" is standard input. Each model call,
which is a run of assistant turns, is one request: the messages before it.

"needed again" is a sign of risk: of the results that were pruned, the share out
of which an identifier or a path was lost that stands nowhere else in a request
as sent, and that the assistant mentions in its answer to that request or later.

With --json, "results" has an object for each "policy" (pointsman, break_even,
batches, sliding) and regime ("cached_read_ratio", "cache_write_ratio"), with
"tokens_saved_percent", "cost_saved_percent", "worst_session", "sessions_worse"
(by over half a percent), "requests_changed", "prefix_breaks", "results_pruned",
"needed_again", a "histogram" of sessions by cost saved, and "calls", which adds
up the sessions' first calls, second ones and so on. "checks" counts broken
promises. Tokens are bytes of the messages / 4, costs in the price of one.

While it runs, replay checks what pruning promises. Sessions that cannot be
replayed and broken promises are said on stderr, and the exit status is 1.`,
		Example: `  pointsman replay --config pointsman.yaml sessions.jsonl.gz

  # Choose settings on one half of the sessions, and look at the other.
  pointsman replay --config pointsman.yaml --every 2 --offset 0 sessions.jsonl
  pointsman replay --config pointsman.yaml --every 2 --offset 1 sessions.jsonl

  # A provider that reads its cache at a quarter of the price, with charts.
  pointsman replay --config pointsman.yaml --regimes 0.25/1 --html report.html sessions.jsonl

  pointsman replay --config pointsman.yaml --json - < sessions.jsonl |
    jq '.results[] | select(.policy == "pointsman") | {cached_read_ratio, cost_saved_percent}'`,
		Args: options.arguments,
		RunE: func(command *cobra.Command, files []string) error { return runReplay(command, files, options) },
	}
	configFlag(command, &options.config)
	flags := command.Flags()
	flags.TextVar(&options.Regimes, "regimes", replay.DefaultRegimes(),
		"`prices` of reading a cached token and of writing any other, relative to the input price")
	flags.StringVar(&options.Model, "model", "", "the `name` that requests ask for (default: the first virtual model)")
	flags.IntVar(&options.Every, "every", 1, "replay only every `N`th session")
	flags.IntVar(&options.Offset, "offset", 0, "of every N sessions the one at this `place`, from 0")
	flags.IntVar(&options.Limit, "limit", 0, "replay at most this `many` sessions (default: all)")
	flags.BoolVar(&options.json, "json", false, "print JSON instead of a table")
	flags.StringVar(&options.html, "html", "", "also write a page with charts to this `file`")
	return command
}

// arguments checks the command line.
func (o *replayOptions) arguments(_ *cobra.Command, files []string) error {
	if len(files) == 0 {
		return errors.New(`no file of sessions is named ("-" is standard input)`)
	}
	return o.Validate()
}

func runReplay(command *cobra.Command, files []string, options replayOptions) error {
	cfg, err := config.Load(options.config)
	if err != nil {
		return err
	}
	problems := &problemLines{to: command.ErrOrStderr()}
	options.Stdin, options.Problem = command.InOrStdin(), problems.add
	if isTerminal(problems.to) {
		options.Progress, problems.clear = replay.Progress(problems.to)
	}
	r, err := replay.New(cfg, options.Options)
	if err != nil {
		return err
	}
	report := r.Run(files)
	problems.end()
	return errors.Join(writeReport(command.OutOrStdout(), report, options), failureOf(report))
}

// writeReport writes the report, and the page as well. Where there is none to be
// had, the report is: a replay takes its time.
func writeReport(out io.Writer, report *replay.Report, options replayOptions) error {
	err := printReport(out, report, options.json)
	if options.html == "" {
		return err
	}
	return errors.Join(err, writePage(options.html, report))
}

func printReport(out io.Writer, report *replay.Report, asJSON bool) error {
	if asJSON {
		return report.WriteJSON(out)
	}
	return report.WriteText(out, replay.Style{Colour: isTerminal(out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"})
}

func writePage(path string, report *replay.Report) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("html: %w", err)
	}
	return errors.Join(report.WriteHTML(file), file.Close())
}

// failureOf is why a replay fails: what could not be read, and promises that were
// broken.
func failureOf(report *replay.Report) error {
	var unreadable, broken error
	if report.Unreadable > 0 {
		unreadable = fmt.Errorf("%s could not be replayed", count(report.Unreadable, "session"))
	}
	if n := report.Checks.Broken(); n > 0 {
		broken = fmt.Errorf("pruning broke its promises %s", count(n, "time"))
	}
	return errors.Join(unreadable, broken)
}

// problemLines writes problems to stderr, the first of them: thousands of lines
// with the same one would bury what else there is to see.
type problemLines struct {
	to    io.Writer
	clear func() // takes away the line of progress; nil without one
	count int
}

const mostProblems = 20

func (p *problemLines) add(text string) {
	if p.count++; p.count > mostProblems {
		return
	}
	if p.clear != nil {
		p.clear()
	}
	_, _ = fmt.Fprintln(p.to, text)
}

func (p *problemLines) end() {
	if p.clear != nil {
		p.clear()
	}
	if more := p.count - mostProblems; more > 0 {
		_, _ = fmt.Fprintf(p.to, "and %s like these\n", count(more, "problem"))
	}
}
