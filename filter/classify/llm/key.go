package llm

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// maxKey bounds a key, in bytes: servers take no longer headers.
const maxKey = 8 << 10

// readKey reads a key from its file, without the white space around it. No error
// holds any of it.
func readKey(path string) (string, error) {
	const setting = "classifier.llm.api_key_file"
	if path == "" {
		return "", nil
	}
	data, err := os.ReadFile(path)
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return "", fmt.Errorf("%s: %s cannot be read: %w: name a readable file that holds the key, or leave it out", setting, path, pathError.Err)
	}
	key := strings.TrimSpace(string(data))
	switch {
	case key == "":
		return "", fmt.Errorf("%s: %s is empty: put the key into it, or leave it out", setting, path)
	case len(key) > maxKey:
		return "", fmt.Errorf("%s: %s has %d bytes, at most %d: put the key alone into it", setting, path, len(key), maxKey)
	case strings.ContainsFunc(key, notInKey):
		return "", fmt.Errorf("%s: %s holds more than one line of visible ASCII: put the key alone into it", setting, path)
	default:
		return key, nil
	}
}

func notInKey(char rune) bool { return char <= ' ' || char > '~' }
