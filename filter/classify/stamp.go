package classify

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
)

// revision counts the changes of the rules that no table shows. Whoever changes
// how signals are read or weighed raises it; a test knows when that was
// forgotten.
const revision = 1

// Stamp is a short hash of the rules: of all phrases, weights and profiles, and
// of the revision of the code that reads them. Two decisions with the same
// stamp were judged alike.
func Stamp() string { return stamp() }

var stamp = sync.OnceValue(func() string { return stampOf(languages, weights) })

func stampOf(tables []words, weighing [cueCount]weight) string {
	hash := sha256.New()
	_, _ = fmt.Fprintln(hash, revision, window, priorChars)
	for c := range cueCount {
		_, _ = fmt.Fprintln(hash, c, weighing[c])
		for _, table := range tables {
			_, _ = fmt.Fprintln(hash, strings.Fields(table[c])) // however it is laid out
		}
	}
	for _, category := range categories {
		_, _ = fmt.Fprintln(hash, category, profiles[category], engineering[category])
	}
	_, _ = fmt.Fprintln(hash, openers, subjects, machinery, demands)
	return hex.EncodeToString(hash.Sum(nil)[:6])
}
