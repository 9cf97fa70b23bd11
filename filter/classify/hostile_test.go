package classify

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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
