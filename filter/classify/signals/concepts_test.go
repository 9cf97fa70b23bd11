package signals

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// meant are the concepts of a text.
func meant(text string) map[uint32]bool {
	var read Text
	read.Read(text)
	set := map[uint32]bool{}
	for _, gram := range read.Grams {
		if gram >= Concepts && gram < Concepts+singleConcepts {
			set[gram] = true
		}
	}
	return set
}

func TestWordsOfOneMeaningShareAConceptInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"prove", "Beweise", "证明", "証明して", "أثبت", "सिद्ध", "demuestra", "prouvez", "demonstre", "докажи", "dimostra", "증명해"}, //nolint:misspell // Portuguese
		{"databases", "Datenbanken", "数据库", "データベース", "قاعدة", "डेटाबेस"},
		{"thanks", "danke", "谢谢", "ありがとう", "شكرا", "धन्यवाद", "gracias", "merci", "obrigado", "спасибо", "grazie", "감사"},
	} {
		first := meant(same[0])
		require.NotEmpty(t, first, same[0])
		for _, word := range same[1:] {
			shared := false
			for concept := range meant(word) {
				shared = shared || first[concept]
			}
			assert.True(t, shared, "%s and %s", same[0], word)
		}
	}
}

func TestConceptsAreFoundBehindArabicPrefixes(t *testing.T) {
	t.Parallel()
	bare := meant("برهان")
	require.NotEmpty(t, bare)
	for _, word := range []string{"البرهان", "والبرهان", "بالبرهان", "برهانٌ"} {
		assert.Equal(t, bare, meant(word), word)
	}
}

func TestConceptsAreFoundInCompounds(t *testing.T) {
	t.Parallel()
	architecture := meant("Architektur")
	require.NotEmpty(t, architecture)
	whole := meant("Datenbankarchitektur")
	for concept := range architecture {
		assert.True(t, whole[concept])
	}
	assert.Greater(t, len(whole), len(architecture), "of its beginning, too")
}

func TestPairsOfConceptsHaveNoOrder(t *testing.T) {
	t.Parallel()
	pairs := func(text string) (found []uint32) {
		var read Text
		read.Read(text)
		for _, gram := range read.Grams {
			if gram >= Concepts+singleConcepts {
				found = append(found, gram)
			}
		}
		return found
	}
	require.Len(t, pairs("prove theorem"), 1)
	assert.Equal(t, pairs("prove theorem"), pairs("theorem prove"))
	assert.Equal(t, pairs("prove theorem"), pairs("theorem, prove"))
}

func TestEveryConceptHasAColumnForEachLanguage(t *testing.T) {
	t.Parallel()
	n := 0
	for line := range strings.Lines(conceptsFile) {
		n++
		assert.Equal(t, 11, strings.Count(line, "\t"), "line %d", n)
		assert.NotContains(t, line, " ", "line %d", n)
	}
	assert.LessOrEqual(t, n, singleConcepts, "each concept needs a bucket")
	used := 0
	for _, s := range meanings().slots {
		if s.first != 0 {
			used++
		}
	}
	assert.Less(t, used, conceptSlots*3/4, "the table is too full to be quick")
}

func TestEveryWordOfTheConceptsIsFound(t *testing.T) {
	t.Parallel()
	line := uint32(0)
	for text := range strings.Lines(conceptsFile) {
		for word := range wordsOf(text) {
			assert.True(t, meant(strings.TrimSuffix(word, "*"))[Concepts+line], "line %d: %s", line+1, word)
		}
		line++
	}
}

func TestNoWordHasMoreConceptsThanThereIsRoom(t *testing.T) {
	t.Parallel()
	for text := range strings.Lines(conceptsFile) {
		for word := range wordsOf(text) {
			folded := fold(make([]byte, 0, len(word)), strings.TrimSuffix(word, "*"))
			found := meanings().findWord(make([]uint16, 0, 4*len(grams{}.found)), folded)
			assert.LessOrEqual(t, len(found), len(grams{}.found), word)
		}
	}
}
