package prune_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/prune"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// session is an agent's session of so many messages, each result of about 1.6 KB
// as recorded coding sessions have them on the average.
func session(b *testing.B, api conversation.API, messages int) []byte {
	b.Helper()
	output := strings.Repeat("src/app/handler.go:117:\treturn fmt.Errorf(\"no such user\")\n", 27)
	c := make(talk, 1, 1+messages/2)
	c[0] = turn{human: "make the tests pass"}
	for i := range messages / 2 {
		c = append(c, turn{says: "I look at the next file.", results: []toolResult{{tool: "bash", text: fmt.Sprint(i, output)}}})
	}
	return c.body(b, api)
}

// talked is a session in which a person speaks every few calls, so that nothing
// ever pays: all its results stay old and not pruned.
func talked(b *testing.B, calls int) []byte {
	b.Helper()
	c := make(talk, 0, 2*calls)
	for i := range calls {
		if i%8 == 0 {
			c = append(c, turn{says: "done"}, turn{human: "and the next one"})
		}
		c = append(c, turn{says: strings.Repeat("thinking aloud ", 20), results: []toolResult{{tool: "f", text: strings.Repeat("a ", 36)}}})
	}
	return c.body(b, conversation.AnthropicMessages)
}

// Ten times the calls are to take ten times as long, and a little more.
func BenchmarkPlanOfWhatNeverPays(b *testing.B) {
	p := prune.New(&configv1.Prune{Enabled: new(true)})
	for _, calls := range []int{1000, 10_000, 50_000} {
		req, err := conversation.Read(conversation.AnthropicMessages, talked(b, calls))
		if err != nil {
			b.Fatal(err)
		}
		if edits := p.Plan(req).Edits; len(edits) > 0 {
			b.Fatal("something pays: ", len(edits))
		}
		b.Run(strconv.Itoa(calls), func(b *testing.B) {
			for b.Loop() {
				p.Plan(req)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*calls), "ns/call")
		})
	}
}

// The plan of a conversation beside the reading of it: the aim is a fifth.
func BenchmarkPlan(b *testing.B) {
	p := prune.New(&configv1.Prune{Enabled: new(true)})
	for _, api := range apis {
		for _, messages := range []int{10, 100, 1000, 10000} {
			body := session(b, api, messages)
			req, err := conversation.Read(api, body)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%d", api, messages), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p.Plan(req)
				}
				b.ReportMetric(float64(len(p.Plan(req).Edits)), "edits")
			})
			b.Run(fmt.Sprintf("%s/%d/read", api, messages), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := conversation.Read(api, body); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
