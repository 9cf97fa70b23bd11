package llm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadKey_IsTheFileWithoutWhiteSpaceAroundIt(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(path, []byte(" sk-s3cret\r\n\n"), 0o600))
	key, err := readKey(path)
	require.NoError(t, err)
	assert.Equal(t, "sk-s3cret", key)
	key, err = readKey("")
	require.NoError(t, err)
	assert.Empty(t, key)
}

func TestReadKey_SaysWhatIsWrongWithTheFileAndNotWhatIsInIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := readKey(filepath.Join(dir, "none"))
	require.EqualError(t, err, "classifier.llm.api_key_file: "+filepath.Join(dir, "none")+
		" cannot be read: no such file or directory: name a readable file that holds the key, or leave it out")
	_, err = readKey(dir)
	require.EqualError(t, err, "classifier.llm.api_key_file: "+dir+
		" cannot be read: is a directory: name a readable file that holds the key, or leave it out")
	for text, message := range map[string]string{
		" \n":                           "is empty: put the key into it, or leave it out",
		"sk-s3cret\nsk-other":           "holds more than one line of visible ASCII: put the key alone into it",
		"key: sk-s3cret":                "holds more than one line of visible ASCII: put the key alone into it",
		"sk-s3crét":                     "holds more than one line of visible ASCII: put the key alone into it",
		strings.Repeat("s3cret", 2_000): "has 12000 bytes, at most 8192: put the key alone into it",
	} {
		path := filepath.Join(dir, "key")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := readKey(path)
		require.EqualError(t, err, "classifier.llm.api_key_file: "+path+" "+message)
		assert.NotContains(t, err.Error(), "s3cr")
	}
}
