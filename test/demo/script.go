package main

import "slices"

// A turn is what a human says to the agent.
type turn struct {
	asked  string // in a few words, for the table
	model  string // that is asked for
	says   string
	image  string // a PNG in base64; empty for none
	stream bool
}

const design = `Design a distributed rate limiter for three regions: architecture, consistency, failover, migration without downtime.
Each region takes 50,000 requests per second.
Compare token buckets with sliding windows, say how the regions agree on a count and what happens when one of them is
cut off, and cover hot keys and clock skew. Propose components,
the data model, the failure modes and how each of them is tested.`

const failingTest = `One test in ./checkout fails: want 42.00, got 41.99. Please fix the rounding; begin with ` +
	`run_tests {"package":"./checkout"}`

const errorsIn = "Here is the log of the last hour. Which errors are in it, and how often?\n\n"

// script is the session: what a developer might ask of a coding agent in an
// hour, with a model for most of it and one for what is to be cheap. The
// stand-in providers call a tool when they are told its name.
func script(model, cheap string) []turn {
	return []turn{
		{asked: "greeting", model: model, says: "Hi! Are you there?", stream: true},
		{asked: "lookup", model: model, says: "What is the default port of PostgreSQL?"},
		{asked: "design question", model: model, says: design, stream: true},
		{asked: "\"yes, go ahead\"", model: model, says: "Yes, go ahead.", stream: true},
		{asked: "fix a failing test", model: model, says: failingTest},
		{asked: "image of a chart", model: model, says: "Something else: which bar in this chart is the highest?", image: chart()},
		{asked: "60 KB log, " + cheap, model: cheap, says: errorsIn + hourOfLog(), stream: true},
		{asked: "thanks", model: model, says: "Thanks, that is all for today!"},
	}
}

// A tool is something that the agent offers to the model and does for it.
type tool struct {
	name, description, argument string

	result string
	// reminder is what the agent says to the model after the result, as coding
	// agents do, in an element that pointsman does not take for the human's
	// words.
	reminder string
}

var tools = []tool{
	{
		name: "run_tests", description: "Run the tests of a Go package.", argument: "package",
		result: "--- FAIL: TestTotal (0.00s)\n    checkout_test.go:41: total = 1089, want 1090\nFAIL\t./checkout\t0.012s",
		reminder: "<system-reminder>Next open step of the plan: look at the code with " +
			`read_file {"path":"checkout/total.go"}</system-reminder>`,
	},
	{
		name: "read_file", description: "Read a file of the repository.", argument: "path",
		result: "package checkout\n\nfunc total(cents []int, tax float64) int {\n\tsum := 0\n\tfor _, c := range cents {\n" +
			"\t\tsum += int(float64(c) * (1 + tax))\n\t}\n\treturn sum\n}\n",
	},
}

func toolCalled(name string) (tool, bool) {
	at := slices.IndexFunc(tools, func(t tool) bool { return t.name == name })
	if at < 0 {
		return tool{}, false
	}
	return tools[at], true
}

// properties and schema are of what a tool takes, as JSON schema.
func (t tool) properties() map[string]any {
	return map[string]any{t.argument: map[string]string{"type": "string"}}
}

func (t tool) schema() map[string]any {
	return map[string]any{"type": "object", "properties": t.properties(), "required": []string{t.argument}}
}

// reminders are what the agent says after all of some results.
func reminders(done []result) []string {
	var all []string
	for _, one := range done {
		if one.tool.reminder != "" {
			all = append(all, one.tool.reminder)
		}
	}
	return all
}
