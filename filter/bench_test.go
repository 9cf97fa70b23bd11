package filter_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/config"
)

// BenchmarkDecide is what pointsman itself spends on a request: reading,
// classifying, selecting, rewriting.
func BenchmarkDecide(b *testing.B) {
	example, err := os.ReadFile("../deploy/pointsman.yaml")
	if err != nil {
		b.Fatal(err)
	}
	cfg, err := config.Parse("pointsman.yaml", example)
	if err != nil {
		b.Fatal(err)
	}
	pipeline, err := filter.New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []int{2 << 10, 100 << 10, 1 << 20, 2 << 20} {
		body := agentSession(size)
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if v := send(pipeline, "POST", chatPath, nil, body); v.Decision == nil {
					b.Fatal("not routed")
				}
			}
		})
	}
}

// agentSession is a coding session of about the given size: a task, then rounds
// of a call and a result of 2 KB.
func agentSession(size int) string {
	var session strings.Builder
	session.WriteString(`{"model":"auto","messages":[{"role":"user","content":"Why does the build fail on arm64?"}`)
	output := strings.Repeat(`a line of \"output\" from a tool\n`, 64)
	for i := 0; session.Len() < size; i++ {
		fmt.Fprintf(&session, `,{"role":"assistant","content":"Next.","tool_calls":[{"id":"c%d","type":"function",`+
			`"function":{"name":"sh","arguments":"{\"cmd\":\"make %d\"}"}}]},{"role":"tool","tool_call_id":"c%d","content":"%s"}`, i, i, i, output)
	}
	session.WriteString(`]}`)
	return session.String()
}
