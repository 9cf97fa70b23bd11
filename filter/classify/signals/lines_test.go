package signals

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLinesAreToldByWhatTheyLookLike(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]lineKind{
		"":                                blankLine,
		"Please have a look.":             proseLine,
		"it works; mostly (I think), ok?": proseLine,
		"证明 (A->B)->((B->C)->(A->C)) 是重言式":   proseLine,
		`$\int_0^1 f(x)\,dx = \frac{1}{2}$;`: proseLine,
		"T(n)=2T(n/2)+n":                     proseLine,
		"```go":                              fenceLine,
		"func main() {":                      codeLine,
		"    return x == y;":                 codeLine,
		"}":                                  codeLine,
		"const puppeteer = require('puppeteer');":          codeLine,
		"SELECT name FROM users WHERE id = 1;":             codeLine,
		"diff --git a/x.go b/x.go":                         fileLine,
		"@@ -1,4 +1,8 @@":                                  diffLine,
		"Traceback (most recent call last):":               traceLine,
		"  File \"a.py\", line 3, in <module>":             traceLine,
		"    at List (src/List.jsx:12:18)":                 traceLine,
		"TypeError: Cannot read properties of undefined":   traceLine,
		"./cmd/main.go:14:2: undefined: loadConfig":        traceLine,
		"\t/srv/pool.go:88 +0x4d":                          traceLine,
		"panic: runtime error: index out of range":         traceLine,
		"2024-05-02T10:11:12Z WARN  raft: election":        logLine,
		"[10:11:12] connection lost":                       logLine,
		"ERROR wal: fsync took 4.2s":                       logLine,
		"- one thing":                                      bulletLine,
		"12. the twelfth":                                  bulletLine,
		"3.5 percent of it":                                proseLine,
		"A. the first answer":                              optionLine,
		"(b) the second":                                   optionLine,
		"at the end of the day":                            proseLine,
		"Is the class \"Order\" fine, or (maybe) too big?": proseLine,
	} {
		assert.Equal(t, want, kindOf(line), line)
	}
}

func TestPastedMaterialSaysWhatTheWorkIs(t *testing.T) {
	t.Parallel()
	trace := read("help\nTypeError: x is undefined\n    at f (a.js:1:2)\n")
	assert.Equal(t, 2, trace.lines[traceLine])
	fenced := read("explain\n```\nprove the theorem\n- a\n```\n")
	assert.Equal(t, 2, fenced.lines[codeLine])
	assert.False(t, fenced.has(prove), "what stands in code asks for nothing")
	formula := read(`evaluate $\int_0^1 x^2 dx$`)
	assert.GreaterOrEqual(t, formula.notation, 3)
	assert.Equal(t, 2, (&signals{}).after("look at src/api/user.ts and @src/billing, and/or this").paths)
}

// after is the signals with a line of prose counted.
func (s *signals) after(line string) *signals {
	s.mark(line)
	return s
}
