package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// maxBytes bounds a configuration file. A Kubernetes ConfigMap holds no more
// than this either.
const maxBytes = 1 << 20

// Load reads the file at path and parses it. Its error is an *InvalidError,
// also where there is no such file.
func Load(path string) (*Config, error) {
	data, err := read(path)
	if err != nil {
		return nil, &InvalidError{Problems: []Problem{{File: path, Message: fileMessage(err)}}}
	}
	return Parse(path, data)
}

// Parse turns YAML text into a configuration; file is what problems call it.
// Its error is an *InvalidError with every problem that was found.
func Parse(file string, data []byte) (*Config, error) {
	found := &problems{file: file, lines: make(map[string]int), known: make(map[string]bool)}
	if root := found.parse(data); root != nil {
		message := &configv1.Config{}
		found.message(root, "", message.ProtoReflect())
		found.check(message)
		if len(found.list) == 0 {
			return effective(message)
		}
	}
	return nil, found.invalid()
}

func read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	// One byte more than allowed, so that Parse sees that it is too long.
	return io.ReadAll(io.LimitReader(file, maxBytes+1))
}

func fileMessage(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file: name an existing one"
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return fmt.Sprintf("cannot be read: %v", err)
}
