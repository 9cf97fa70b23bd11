package conversation

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// jsonSamples are valid and invalid values, each also inside of others.
func jsonSamples() []string { return slices.Concat(shortSamples, wordSamples(), deepSamples()) }

var shortSamples = []string{
	`null`, `true`, `false`, `nul`, `tru`, `nullx`, `True`, ``, ` `, `x`, "\x00", `,`, `:`, `]`, `}`,
	`0`, `-0`, `01`, `-`, `-x`, `1.`, `.5`, `1.5`, `1e5`, `1E+5`, `1e-05`, `1e`, `1e+`, `1.e5`, `+1`, `12345678901234567890`, `0x1`,
	`""`, `"`, `"a`, `"\`, `"\"`, `"\\"`, `"\n\t\r\b\f\/\""`, `"\a"`, `"\u"`, `"\u00"`, `"\u00zz"`, `"\u00e9"`, `"\u00E9"`,
	`"\ud83d\ude00"`, `"\ud83d"`, `"\ude00"`, `"\ud83dx"`, `"\ud83d\u0041"`, `"\ud83d\uzzzz"`, `"\ud83d\n"`, `"\ud83d\ud83d\ude00"`,
	`"你好, wörld €"`, "\"\xff\"", "\"a\xc3\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"a\x01\"", "\"a\nb\"", "\"a\x1f\"", "\"a\x7f\"",
	`[]`, `[ ]`, `[1]`, `[1,]`, `[,1]`, `[1 2]`, `[1,,2]`, `[`, `[1`, `[1,`, `[1}`, `[[],[[]],{}]`,
	`{}`, `{ }`, `{"a":1}`, `{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{"a" 1}`, `{a:1}`, `{1:1}`, `{"a":1 "b":2}`, `{"a":1,"a":2}`, `{"a":1]`, `{`,
}

// wordSamples have something special at every place of a word of eight bytes.
func wordSamples() (samples []string) {
	ends := []string{`"`, `\n"`, "\x01\"", "é\"", "\xff\"", `\q"`, "\x80\"", "\x1f\"", " !#[]\"", "\x9f\""}
	for n := range 20 {
		filler := strings.Repeat("x", n)
		for _, end := range ends {
			samples = append(samples, `"`+filler+end, `"`+filler+end+filler+`"`)
		}
	}
	return samples
}

func deepSamples() (samples []string) {
	for _, depth := range []int{9_999, 10_000, 10_001} {
		samples = append(samples, strings.Repeat("[", depth)+strings.Repeat("]", depth),
			strings.Repeat(`{"a":`, depth)+"1"+strings.Repeat("}", depth))
	}
	return samples
}

func TestScannerTakesWhatJSONTextTakes(t *testing.T) {
	t.Parallel()
	for _, sample := range jsonSamples() {
		for _, text := range []string{sample, " " + sample + " ", "[" + sample + "]", `{"k": ` + sample + "\n}", `[1, ` + sample + `, "s"]`} {
			checkScanner(t, []byte(text))
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, sample := range jsonSamples() {
		f.Add([]byte(sample))
	}
	f.Fuzz(checkScanner)
}

// checkScanner holds the scanner against jsontext, and what it says of strings
// against encoding/json.
func checkScanner(t *testing.T, text []byte) {
	t.Helper()
	s := scanner{text: text}
	ok := s.value()
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	want, err := dec.ReadValue()
	valid := err == nil && utf8.Valid(want)
	require.Equal(t, valid, ok, "%.100q: %v", text, err)
	if !ok {
		return
	}
	require.Equal(t, int(dec.InputOffset()), s.at, "%.100q", text)
	assert.Zero(t, s.depth)
	if want[0] != '"' {
		return
	}
	var decoded string
	require.NoError(t, json.Unmarshal(want, &decoded))
	foreign := 0
	for _, char := range decoded {
		if size := utf8.RuneLen(char); size > 1 {
			foreign += size
		}
	}
	assert.Equal(t, measured{s.at - len(want), len(decoded), foreign, utf8.RuneCountInString(decoded)}, s.last, "%.100q", text)
}
