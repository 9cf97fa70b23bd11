package jsonlines_test

import (
	"errors"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/jsonlines"
)

func TestFaultSaysWhatIsWrongAndWhere(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"prompt": nul}`: "not a prompt: invalid character '}' in literal null (expecting 'l') (at byte 14, in /prompt)",
		`nul`:             "not a prompt: unexpected EOF (at byte 3)",
		`{"prompt": 7}`:   "not a prompt: must be a string (at byte 11, in /prompt)",
		`[]`:              "not a prompt: must be an object (at byte 0)",
	} {
		var into struct {
			Prompt string `json:"prompt"`
		}
		err := json.Unmarshal([]byte(line), &into)
		require.Error(t, err, line)
		assert.EqualError(t, jsonlines.Fault(err, "a prompt"), want, line)
	}
}

func TestFaultKeepsOtherErrors(t *testing.T) {
	t.Parallel()
	other := errors.New("other")
	assert.Equal(t, other, jsonlines.Fault(other, "a prompt"))
}
