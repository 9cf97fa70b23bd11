package signals

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPhrasesMatchWholeWordsInSpacedScripts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"prove that": true, "Prove\nthat": true, "(prove)": true, "PROVE it": true, "improve that": false, "proven": false, "disapprove": false,
		"beweise, dass": true, "BEWEISE": true, "Nachweise": false, "démontre que": true, "demontre que": true, "докажи": true, "недокажи": false,
		"请证明它": true, "x証明y": true,
	} {
		s := read(text)
		assert.Equal(t, want, s.has(prove), text)
	}
}

func TestStemsMatchInflections(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"refactor", "refactoring", "Refactored", "refaktorieren", "refactoriser"} {
		s := read(text)
		assert.True(t, s.has(refactor), text)
	}
}

func TestTheLongestPhraseWins(t *testing.T) {
	t.Parallel()
	s := read("a proof of concept")
	assert.False(t, s.has(theorem))
	s = read("write it with tests")
	assert.False(t, s.has(tests), "tests that come with code are a demand on it")
	assert.True(t, s.has(constraint))
}

func TestImperativesCountAtTheStartOfSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"run the build": true, "please run the build": true, "First look. Run the build": true, "in the dry run we saw": false,
	} {
		s := read(text)
		assert.Equal(t, want, s.has(agentVerb), text)
	}
}

func TestQuotedWordsWeighLess(t *testing.T) {
	t.Parallel()
	plain, quoted := read("he said prove the lemma"), read("he said “prove the lemma”")
	assert.Greater(t, plain.cues[prove], quoted.cues[prove])
}

func TestEveryPhraseOfEveryTableIsFound(t *testing.T) {
	t.Parallel()
	for _, table := range languages {
		for c, list := range table {
			for phrase := range strings.SplitSeq(list, ",") {
				phrase = strings.TrimSuffix(strings.Join(strings.Fields(phrase), " "), "*")
				require.NotEmpty(t, phrase, "an empty phrase in a list of cue %d", c)
				folded := fold(make([]byte, 0, len(phrase)), phrase)
				found, length := phrases.match(folded)
				assert.Equal(t, len(folded), length, phrase)
				assert.True(t, found.has(c), phrase)
				if s := read("x, " + phrase + "."); !openers.has(c) {
					assert.True(t, s.has(c), phrase)
				}
			}
		}
	}
}

func TestEveryCueHasPhrases(t *testing.T) {
	t.Parallel()
	assert.LessOrEqual(t, int(cueCount), 64, "a cueSet has 64 places")
	for c := range cueCount {
		assert.NotEmpty(t, english[c], "cue %d", c)
	}
}

func TestTheLexiconHasRoom(t *testing.T) {
	t.Parallel()
	assert.Less(t, len(phrases.nodes), edgeSlots/2, "raise edgeSlots: a full table is slow")
}

func TestFoldComparesAsPeopleRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Écrivez UNE Fonction": "ecrivez une fonction", "a \t b": "a b", "a \n\n b": "a b", "“It’s”": `"it's"`, "ＡＢＣ？": "abc?",
		"ПРИВЕТ Ёлка": "привет елка", "完了。次": "完了.次", "Straße": "strase", "İ": "i", "\u212a": "\u212a",
		"إِلى الأُسرة؟": "الي الاسره?", "أوّلًا، ثمّ": "اولا, ثم", "मैं हूँ। ज़रूर": "मैं हूं. जरूर", "ا\u200cب": "اب",
	} {
		assert.Equal(t, want, string(fold(make([]byte, 0, 64), text)), text)
	}
}

func TestFoldStopsWhereTheBufferIsFull(t *testing.T) {
	t.Parallel()
	buffer := fold(make([]byte, 0, 4), "ab語xyz")
	assert.Equal(t, "ab", string(buffer))
	assert.Equal(t, 4, cap(buffer))
}
