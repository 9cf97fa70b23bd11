package classify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/decision"
)

func TestParseHintsReadsWhatHeadersSay(t *testing.T) {
	t.Parallel()
	hints, err := ParseHints("complex", "debugging", "120000")
	require.NoError(t, err)
	assert.Equal(t, Hints{Tier: decision.Complex, Category: decision.Debugging, Context: 120000}, hints)

	hints, err = ParseHints("", "", "")
	require.NoError(t, err)
	assert.Equal(t, Hints{}, hints)
}

func TestParseHintsNamesHeaderValueAndWhatIsAllowed(t *testing.T) {
	t.Parallel()
	const categories = "chat, factual_qa, summarization, rewriting, translation, extraction, brainstorming, creative, coding_general, " +
		"code_review, debugging, refactoring, testing, documentation, system_design, data_analysis, math, proof, agentic"
	for _, test := range []struct{ tier, category, context, want string }{
		{"hard", "", "", `header x-pointsman-hint-tier: unknown tier "hard": use simple, medium, complex or reasoning`},
		{"Complex", "", "", `header x-pointsman-hint-tier: unknown tier "Complex": use simple, medium, complex or reasoning`},
		{"", "coding", "", `header x-pointsman-hint-category: unknown category "coding": use one of ` + categories},
		{"", "", "12k", `header x-pointsman-hint-context: invalid number of tokens "12k": use an integer from 0 to 100000000`},
		{"", "", "-1", `header x-pointsman-hint-context: invalid number of tokens "-1": use an integer from 0 to 100000000`},
		{"", "", "100000001", `header x-pointsman-hint-context: invalid number of tokens "100000001": use an integer from 0 to 100000000`},
		{"", "", " 5", `header x-pointsman-hint-context: invalid number of tokens " 5": use an integer from 0 to 100000000`},
	} {
		hints, err := ParseHints(test.tier, test.category, test.context)
		require.EqualError(t, err, test.want)
		assert.Equal(t, Hints{}, hints)
	}
}

func TestParseHintsKeepsLongValuesOutOfErrors(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100_000)
	for _, values := range [][3]string{{long, "", ""}, {"", long, ""}, {"", "", long}} {
		_, err := ParseHints(values[0], values[1], values[2])
		require.Error(t, err)
		assert.Less(t, len(err.Error()), 500)
	}
}
