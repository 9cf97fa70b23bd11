package conversation

import "strings"

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
	s := scanner{text: value}
	s.open('{')
	for first := true; ; first = false {
		if more, _ := s.more(first, '}'); !more {
			return nil
		}
		name := s.next()
		s.take(':')
		if member := s.next(); string(decode(name)) == key {
			return member
		}
	}
}
