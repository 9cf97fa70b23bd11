package conversation

import "bytes"

// names is the set of names of one object. The usual handful is compared one by
// one on a stack that all objects share; from manyNames on a map takes over, so
// that an object of a million names costs no more than its bytes.
type names struct {
	all   *[][]byte
	first int
	many  map[string]struct{}
}

const manyNames = 24

// add reports whether name is new.
func (n *names) add(name []byte) bool {
	if n.many != nil {
		_, known := n.many[string(name)]
		n.many[string(name)] = struct{}{}
		return !known
	}
	own := (*n.all)[n.first:]
	for _, known := range own {
		if bytes.Equal(known, name) {
			return false
		}
	}
	*n.all = append(*n.all, name)
	if len(own)+1 == manyNames {
		n.many = make(map[string]struct{}, 2*manyNames)
		for _, known := range (*n.all)[n.first:] {
			n.many[string(known)] = struct{}{}
		}
	}
	return true
}

// shorten bounds a client's own name where an error quotes it.
func shorten(name []byte) string {
	const enough = 64
	if len(name) <= enough {
		return string(name)
	}
	return string(bytes.ToValidUTF8(name[:enough], nil)) + "…"
}
