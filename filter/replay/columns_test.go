package replay

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestColumns_PaintDoesNotMoveThem(t *testing.T) {
	t.Parallel()
	rows := [][]cell{plain("a", "long", "end"), nil, plain("name", "1", "x")}
	rows[2][1].paint = Style{Colour: true}.red
	var out strings.Builder
	columns(&out, rows, "lrl")
	assert.Equal(t, "a     long  end\n\nname     \x1b[31m1\x1b[0m  x\n", out.String())
}

func TestNumbers_AreWrittenForPeople(t *testing.T) {
	t.Parallel()
	for value, want := range map[float64]string{12.34: "+12.3%", -6.66: "−6.7%", 0: "0.0%", -0.04: "0.0%", 0.04: "0.0%", -110: "−110.0%"} {
		assert.Equal(t, want, change(value))
	}
	assert.Equal(t, []string{"0", "999", "1,000", "1,234,567"},
		[]string{grouped(0), grouped(999), grouped(1000), grouped(int64(1234567))})
	assert.Equal(t, []string{"1 session", "2 sessions"}, []string{some(1, "session"), some(2, "session")})
}

func TestStyle_ColoursGainsAndLossesThatMatter(t *testing.T) {
	t.Parallel()
	s := Style{Colour: true}
	assert.Equal(t, "\x1b[32mx\x1b[0m", s.signed(3, "x"))
	assert.Equal(t, "\x1b[31mx\x1b[0m", s.signed(-3, "x"))
	assert.Equal(t, "x", s.signed(0.2, "x"))
	assert.Equal(t, "x", Style{}.signed(3, "x"))
}
