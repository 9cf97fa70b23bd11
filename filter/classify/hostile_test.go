package classify

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"golang.org/x/text/unicode/norm"

	"github.com/pointsman/pointsman/filter/decision"
)

func TestHostileLinesCostNoMoreThanOthers(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"/", "=", "(", "\\a", "$", " ", "\n", "- ", "prove ", "证", "\u200b", "`", "a/"} {
		start := time.Now()
		text := strings.Repeat(part, 4<<20/len(part))
		New(1, true).Classify(Input{Message: text, PriorTurn: text, Reference: text}, Hints{})
		assert.Less(t, time.Since(start), 10*time.Second, "%q", part)
	}
}

func TestDecomposedLettersAreReadAsComposedOnes(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	for _, text := range []string{
		"소수가 무한히 많음을 증명하라", "Проектируй отказоустойчивую платёжную систему с несколькими регионами",
		"أثبت أن مجموع زوايا المثلث ١٨٠ درجة", "Démontrez que la racine de deux est irrationnelle", "Chứng minh căn bậc hai của 2 là số vô tỉ",
	} {
		decomposed := norm.NFD.String(text)
		assert.NotEqual(t, text, decomposed)
		want := classifier.Classify(Input{Message: text}, Hints{})
		got := classifier.Classify(Input{Message: decomposed}, Hints{})
		assert.Equal(t, want.Tier, got.Tier, text)
		assert.InDelta(t, want.Confidence, got.Confidence, 1e-9, text)
	}
}

func TestSoftHyphensAreNotRead(t *testing.T) {
	t.Parallel()
	classifier := New(decision.Medium, true)
	want := classifier.Classify(Input{Message: "hey, are you there?"}, Hints{})
	got := classifier.Classify(Input{Message: "h\u00ade\u00ady, a\u00adr\u00ade y\u00ado\u00adu there?"}, Hints{})
	assert.Equal(t, want.Tier, got.Tier)
}
