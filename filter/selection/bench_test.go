package selection_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/selection"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// catalogueOf makes a catalogue of size models. Of every four, one is too
// small, one lacks vision, one is of too low a tier and one is in.
func catalogueOf(tb testing.TB, size int) *selection.Catalogue {
	tb.Helper()
	cfg := &configv1.Config{VirtualModels: []*configv1.VirtualModel{{Name: new("auto")}}}
	for i := range size {
		name := fmt.Sprintf("m%d", i)
		model := &configv1.Model{
			Name: &name, UpstreamModel: &name, Cluster: new("c"), Family: new("f"), Apis: []string{string(chat)},
			Tier: new("reasoning"), ContextWindow: new(int32(200_000)), Capabilities: []string{"tools", "vision"},
			Rejects: []string{"logprobs", "thinking.type=disabled"},
			Price:   &configv1.Price{Input: new(1.0), Output: new(2.0)},
		}
		switch i % 4 {
		case 0:
			model.ContextWindow = new(int32(32_000))
		case 1:
			model.Capabilities = []string{"tools"}
		case 2:
			model.Tier = new("simple")
		default:
		}
		cfg.Models = append(cfg.Models, model)
	}
	c, err := selection.New(&config.Config{Config: cfg})
	require.NoError(tb, err)
	return c
}

func BenchmarkSelect(b *testing.B) {
	for _, size := range []int{10, 200} {
		b.Run(fmt.Sprintf("%d models", size), func(b *testing.B) {
			c := catalogueOf(b, size)
			target := resolve(b, c, "auto")
			work := selection.Work{
				API: chat, Tier: decision.Complex, PromptTokens: 50_000,
				Needs: conversation.Tools | conversation.Vision, Parameter: parameters(nil),
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Select(target, work); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkResolve(b *testing.B) {
	c := catalogue(b, threeModels)
	for _, name := range []string{"auto", "gpt-5-mini", "large-2026", "small", "small-2026"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Resolve(name, chat); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
