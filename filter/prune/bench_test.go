package prune_test

import (
	"fmt"
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
