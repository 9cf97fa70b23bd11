package conversation_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/filter/conversation"
)

// agentBody is a coding session of about the given size: rounds of a call and a
// result of 2 KB.
func agentBody(size int) []byte {
	var body strings.Builder
	body.WriteString(`{"model":"auto","messages":[{"role":"user","content":"Why does the build fail?"}`)
	output := strings.Repeat(`line of \"output\" from a tool\n`, 64)
	for i := 0; body.Len() < size; i++ {
		fmt.Fprintf(&body, `,{"role":"assistant","content":"Next.","tool_calls":[{"id":"c%d","type":"function",`+
			`"function":{"name":"sh","arguments":"{\"cmd\":\"make %d\"}"}}]},{"role":"tool","tool_call_id":"c%d","content":"%s"}`, i, i, i, output)
	}
	body.WriteString(`]}`)
	return []byte(body.String())
}

// BenchmarkRead shows that reading costs in proportion to the body.
func BenchmarkRead(b *testing.B) {
	for _, size := range []int{2 << 10, 100 << 10, 1 << 20, 10 << 20} {
		body := agentBody(size)
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := conversation.Read(conversation.OpenAIChat, body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkHumanTurn shows that a long prompt costs the classifier no more than
// finding its ends.
func BenchmarkHumanTurn(b *testing.B) {
	for _, size := range []int{10 << 10, 10 << 20} {
		req, err := conversation.Read(conversation.OpenAIChat, []byte(userTurn(`"`+strings.Repeat("word ", size/5)+`"`)))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				req.HumanTurn()
			}
		})
	}
}

// BenchmarkManyTags shows that a text full of tags costs no more than its bytes.
func BenchmarkManyTags(b *testing.B) {
	for _, count := range []int{1_000, 100_000} {
		text := strings.Repeat("<user_instructions></user_instructions><system-reminder>", count)
		body := []byte(userTurn(`"` + text + `"`))
		b.Run(strconv.Itoa(count), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				req, err := conversation.Read(conversation.OpenAIChat, body)
				if err != nil {
					b.Fatal(err)
				}
				req.HumanTurn()
			}
		})
	}
}
