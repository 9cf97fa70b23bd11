package classify

import (
	"encoding/binary"
	"errors"
	"math"
)

// forest is boosted trees: the answer is the base and, of every tree, the value
// of the leaf that the inputs lead to.
type forest struct {
	base []float32 // one for each class
	// starts are the roots; tree i counts for class i modulo the classes.
	starts []uint32
	nodes  []node
}

// node is a leaf, or asks whether an input is at most value: then the answer is
// in the next node, and else in the one at right, counted from the root.
type node struct {
	feature, right uint16
	value          float32
}

// leaf is the feature of nodes that have no question.
const leaf = math.MaxUint16

// decodeForest reads a forest for so many classes that asks for so many inputs,
// and returns what follows it. Every node is checked, so that walking needs no
// care.
func decodeForest(file []byte, classes, inputs int) (*forest, []byte, error) {
	errCut := errors.New("weights: the trees are cut off")
	if len(file) < 4 {
		return nil, nil, errCut
	}
	trees := int(binary.LittleEndian.Uint32(file))
	f := &forest{base: make([]float32, classes), starts: make([]uint32, min(trees, len(file))+1)}
	rest := file[4:]
	for _, part := range []any{f.base, f.starts} {
		n, err := binary.Decode(rest, binary.LittleEndian, part)
		if err != nil {
			return nil, nil, errCut
		}
		rest = rest[n:]
	}
	f.nodes = make([]node, min(int(f.starts[trees]), len(rest)/8))
	for i := range f.nodes {
		f.nodes[i] = node{
			feature: binary.LittleEndian.Uint16(rest), right: binary.LittleEndian.Uint16(rest[2:]),
			value: math.Float32frombits(binary.LittleEndian.Uint32(rest[4:])),
		}
		rest = rest[8:]
	}
	return f, rest, f.check(inputs)
}

// check reports a tree that would be left, or in which a walk would not end.
func (f *forest) check(inputs int) error {
	for i, start := range f.starts[:len(f.starts)-1] {
		end := f.starts[i+1]
		if start >= end || int(end) > len(f.nodes) {
			return errors.New("weights: a tree has no nodes")
		}
		for at := start; at < end; at++ {
			n := f.nodes[at]
			if n.feature == leaf {
				continue
			}
			if right := start + uint32(n.right); int(n.feature) >= inputs || right <= at+1 || right >= end {
				return errors.New("weights: a tree is no tree")
			}
		}
	}
	return nil
}

// add adds the answer to some sums, one for each class.
func (f *forest) add(sums, inputs []float32) {
	for class, base := range f.base {
		sums[class] += base //nolint:gosec // as many sums as bases
	}
	class := 0
	for _, start := range f.starts[:len(f.starts)-1] {
		sums[class] += f.walk(f.nodes[start:], inputs)
		if class++; class == len(f.base) {
			class = 0
		}
	}
}

func (f *forest) walk(tree []node, inputs []float32) float32 {
	at := uint16(0)
	for {
		n := tree[at]
		switch {
		case n.feature == leaf:
			return n.value
		case inputs[n.feature] <= n.value:
			at++
		default:
			at = n.right
		}
	}
}
