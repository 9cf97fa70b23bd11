package classify

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"sync"

	"github.com/pointsman/pointsman/filter/classify/signals"
)

// weightsFile is what train/train.py writes: numbers of four bytes, least
// significant byte first, then the tables of single bytes, then the trees.
//
//go:embed weights.bin
var weightsFile []byte

// outputs is how many sums the model forms of a text: one for each tier and
// category, and one more.
const (
	tierCount     = 4
	categoryCount = 19
	outputs       = tierCount + categoryCount + 1 // the last: that it goes on with what was said
)

// weights is the model, as it is read from weightsFile.
type weights struct {
	settings settings
	bias     [outputs]float32
	// scale is what one step of a gram's weight is worth, for each output.
	scale [outputs]float32
	dense [signals.DenseCount][outputs]float32
	// rarity of each gram, in sixteenths, and its weights.
	rarity []byte
	grams  []byte

	// tiers sees the sums and signals of a message, follows those of both turns.
	tiers, follows *forest
}

// What the trees see.
const (
	tierInputs   = outputs + signals.DenseCount
	followInputs = 2*tierInputs + signals.PairCount + 1
)

// model is decoded once and shared by all.
var model = sync.OnceValue(func() *weights {
	w, err := decode(weightsFile)
	if err != nil {
		panic(err) // the file is part of the binary, and a test has read it
	}
	return w
})

// decode reads a file of weights.
func decode(file []byte) (*weights, error) {
	w := &weights{}
	head := []any{&w.settings, &w.bias, &w.scale, &w.dense}
	at := 0
	for _, part := range head {
		n, err := binary.Decode(file[at:], binary.LittleEndian, part)
		if err != nil {
			return nil, fmt.Errorf("weights: %w", err)
		}
		at += n
	}
	end := at + signals.Buckets*(1+outputs)
	if len(file) < end {
		return nil, fmt.Errorf("weights: %d bytes, want at least %d", len(file), end)
	}
	w.rarity, w.grams = file[at:at+signals.Buckets], file[at+signals.Buckets:end]
	return w, w.decodeForests(file[end:])
}

func (w *weights) decodeForests(rest []byte) (err error) {
	if w.tiers, rest, err = decodeForest(rest, tierCount, tierInputs); err != nil {
		return err
	}
	if w.follows, rest, err = decodeForest(rest, 1, followInputs); err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("weights: %d bytes too many", len(rest))
	}
	return nil
}

// sums are what the model says of one text, before anything is decided.
type sums [outputs]float32

// weigh adds up the weights of all that a text shows.
func (w *weights) weigh(text *signals.Text) (total sums) {
	total = w.bias
	for i, value := range text.Dense {
		if value != 0 {
			for o, weight := range &w.dense[i] {
				total[o] += value * weight
			}
		}
	}
	words, pieces := w.halves(text.Grams)
	w.add(&total, &words)
	w.add(&total, &pieces)
	return total
}

// half is what the grams of one kind add up to.
type half struct {
	sum     [outputs]int32
	squares int64 // of their rarities
}

// halves adds up the grams: words and pieces of words apart, since a long word
// has many pieces.
func (w *weights) halves(grams []uint32) (words, pieces half) {
	for _, gram := range grams {
		to := &words
		if gram >= signals.Pieces {
			to = &pieces
		}
		rarity := int64(w.rarity[gram])
		to.squares += rarity * rarity
		row := w.grams[int(gram)*outputs:][:outputs]
		for o, step := range row {
			to.sum[o] += int32(int8(step)) //nolint:gosec // a weight is a signed byte
		}
	}
	return words, pieces
}

func (w *weights) add(total *sums, h *half) {
	if h.squares == 0 {
		return
	}
	length := float32(math.Sqrt(float64(h.squares)) / 16)
	for o := range total {
		total[o] += float32(h.sum[o]) * w.scale[o] / length
	}
}

// Stamp is a short hash of the weights and of the revision of what reads texts.
// Two decisions with the same stamp were judged alike.
func Stamp() string { return stamp() }

var stamp = sync.OnceValue(func() string { return stampOf(weightsFile) })

func stampOf(file []byte) string {
	hash := sha256.New()
	_, _ = fmt.Fprintln(hash, revision, window, priorChars)
	_, _ = hash.Write(file)
	return hex.EncodeToString(hash.Sum(nil)[:6])
}

// revision counts the changes of the code that reads texts and weighs them,
// which the weights do not show. Whoever changes it raises it; a test knows when
// that was forgotten.
const revision = 2
