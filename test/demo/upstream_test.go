package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOnlyModelChangedSeesEveryOtherByte(t *testing.T) {
	t.Parallel()
	const sent = `{"messages":[{"role":"user","content":"\u00e9 1.0"}],"model":"auto","n":1.0}`
	for name, received := range map[string]string{
		"white space":   `{"messages":[{"role":"user","content":"\u00e9 1.0"}], "model":"small-2026","n":1.0}`,
		"an escape":     `{"messages":[{"role":"user","content":"é 1.0"}],"model":"small-2026","n":1.0}`,
		"a number":      `{"messages":[{"role":"user","content":"\u00e9 1.0"}],"model":"small-2026","n":1}`,
		"another model": `{"messages":[{"role":"user","content":"\u00e9 1.0"}],"model":"large-2026","n":1.0}`,
		"the end":       `{"messages":[{"role":"user","content":"\u00e9 1.0"}],"model":"small-2026","n":1.0}` + "\n",
		"nothing":       "",
		"no change":     sent,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorContains(t, onlyModelChanged([]byte(sent), []byte(received), "auto", "small-2026"), "more than the model changed")
		})
	}
	same := `{"messages":[{"role":"user","content":"\u00e9 1.0"}],"model":"small-2026","n":1.0}`
	require.NoError(t, onlyModelChanged([]byte(sent), []byte(same), "auto", "small-2026"))
}

func TestOnlyModelChangedShowsWhere(t *testing.T) {
	t.Parallel()
	err := onlyModelChanged([]byte(`{"model":"auto","n":1}`), []byte(`{"model":"small","n":2}`), "auto", "small")
	assert.EqualError(t, err, "more than the model changed on the way, first at byte 21:\n"+
		`  want …"model":"small","n":1}…`+"\n"+`  got  …"model":"small","n":2}…`)
}

func TestSameButModelComparesWhatIsSaid(t *testing.T) {
	t.Parallel()
	sent := []byte(`{"model":"auto","n":1,"messages":["\u00e9"]}`)
	require.NoError(t, sameButModel(sent, []byte(`{"messages": ["é"], "model": "medium", "n": 1}`)))
	require.ErrorContains(t, sameButModel(sent, []byte(`{"messages": ["e"], "model": "medium", "n": 1}`)), "more than the model changed")
	require.Error(t, sameButModel(sent, []byte(`{`)))
}
