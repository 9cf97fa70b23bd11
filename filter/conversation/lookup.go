package conversation

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// lookUp finds the value at a path of keys below a JSON value that has been
// read before. A string comes decoded, anything else as its JSON text; null
// counts as absent.
func lookUp(value []byte, path string) (found []byte, present bool) {
	for path != "" {
		var key string
		key, path, _ = strings.Cut(path, ".")
		if value = memberOf(value, key); value == nil {
			return nil, false
		}
	}
	switch {
	case len(value) == 0, string(value) == "null":
		return nil, false
	case value[0] == '"':
		return decode(value), true
	default:
		return value, true
	}
}

// memberOf is the value of an object's member; nil where value is no object or
// has no such member.
func memberOf(value []byte, key string) []byte {
	if len(value) == 0 || value[0] != '{' {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(value),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		wanted := string(decode(name)) == key
		member, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		if wanted {
			return member
		}
	}
	return nil
}
