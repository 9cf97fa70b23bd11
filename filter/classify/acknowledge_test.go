package classify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pointsman/pointsman/filter/classify"
)

func TestIsAcknowledgementTellsAssentFromWork(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Sure.", "ok", "Yes, go ahead", "yes please", "sounds good, thanks!", "perfect", "OK, do it", "👍", "..."} {
		assert.True(t, classify.IsAcknowledgement(text), text)
	}
	for _, text := range []string{
		"", "design a lease service", "Yes, but first prove that it terminates", "Here is the plan: we split the table.",
		"∀x", strings.Repeat("你", 500), strings.Repeat("ok and then we migrate the table. ", 300),
	} {
		assert.False(t, classify.IsAcknowledgement(text), text)
	}
}
