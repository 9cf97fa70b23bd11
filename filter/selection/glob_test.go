package selection

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGlobMatchesTheWholeName(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"claude-*", "claude-sonnet", true},
		{"claude-*", "claude-", true},
		{"claude-*", "claude", false},
		{"claude-*", "a-claude-sonnet", false},
		{"*-mini", "gpt-mini", true},
		{"*-mini", "gpt-mini-2", false},
		{"*a*b*", "xxaxxbxx", true},
		{"*a*b*", "xxbxxaxx", false},
		{"*ab*c", "aabbabcc", true},
		{"gpt-?", "gpt-5", true},
		{"gpt-?", "gpt-55", false},
		{"gpt-?", "gpt-", false},
		{"gpt-?", "gpt-é", true},
		{"*??", "€", false},
		{"*??bc", "€bc", false},
		{"*?", "€", true},
		{"??*", "é€", true},
		{"*", "", true},
		{"?", "", false},
		{"", "", true},
		{"", "a", false},
		{"**", "anything", true},
		{"exact", "exact", true},
		{"exact", "Exact", false},
		{"a.c", "abc", false},
		{"[ab]", "a", false},
		{"*", "a*b?c", true},
		{"a?b", "a*b", true},
		{"*", strings.Repeat("a", maxNameBytes), true},
		{"*", strings.Repeat("a", maxNameBytes+1), false},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, globMatches(test.pattern, test.name), "%q on %q", test.pattern, test.name)
	}
}

func TestGlobTakesBoundedTimeOnTheWorstPattern(t *testing.T) {
	t.Parallel()
	// A matcher that goes back to every star would take 1,000^40 steps.
	pattern := strings.Repeat("*a", 40) + "b"
	assert.False(t, globMatches(pattern, strings.Repeat("a", maxNameBytes)))
}

// FuzzGlob holds the matcher against the regular expression of the same
// meaning.
func FuzzGlob(f *testing.F) {
	f.Add("claude-*", "claude-sonnet")
	f.Add("*?a*", "éa")
	f.Add("*??", "€")
	f.Add("*ab?*b", "xabcabb")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if !utf8.ValidString(pattern) || !utf8.ValidString(name) || len(name) > maxNameBytes || len(pattern) > 256 {
			return
		}
		quoted := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
		if strings.Contains(pattern, `\`) {
			return // \* would read as a backslash and a star
		}
		want := regexp.MustCompile(`^(?s:` + quoted + `)$`).MatchString(name)
		require.Equal(t, want, globMatches(pattern, name))
	})
}
