package classify

import (
	"strings"
	"unicode"

	"github.com/pointsman/pointsman/filter/classify/signals"
)

// IsAcknowledgement reports whether a turn only acknowledges the one before it
// ("Sure.", "ok, go ahead", "sounds good, thanks") and so says nothing about the
// work: a follow-up to it continues what came before. A text without a letter, such
// as a thumbs-up or dots, says nothing either.
func IsAcknowledgement(text string) bool {
	text = visible(text)
	if len(text) > longestAcknowledgement {
		return false
	}
	if text != "" && !strings.ContainsFunc(text, isWordPart) {
		return true
	}
	return signals.Acknowledges(shown(text))
}

func isWordPart(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// longestAcknowledgement is in bytes: twenty words of English, or as many
// characters of Chinese.
const longestAcknowledgement = 120
