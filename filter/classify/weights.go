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
// category, and one for that it goes on with what was said; and of the text as a
// prior turn one for each tier, and one for that it invites an answer.
const (
	tierCount     = 4
	categoryCount = 19
	priorTiers    = tierCount + categoryCount + 1 // where those of prior turns begin
	outputs       = priorTiers + tierCount + 1
)

// weights is the model, as it is read from weightsFile.
type weights struct {
	settings settings
	bias     [outputs]float32
	// scale is what one step of a gram's weight is worth, for each output.
	scale [outputs]float32
	dense [signals.DenseCount][outputs]float32
	// rarity of each gram, in sixteenths, and its weights: a byte for each output, of
	// which 128 is zero, in rows of stride bytes.
	rarity []byte
	grams  []byte

	// tiers sees the sums and signals of a message, priors those of a prior turn,
	// follows those of both.
	tiers, follows, priors *forest
}

// What the trees see.
const (
	sumInputs    = outputs + kindCount*tierLike
	tierInputs   = sumInputs + signals.DenseCount
	followInputs = 2*tierInputs + signals.PairCount + 1
)

// model is decoded once and shared by all.
var model = sync.OnceValue(func() *weights {
	w, err := decode(weightsFile)
	if err != nil {
		panic(err) // the file is part of the binary, and a test has read it
	}
	signals.Load()
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
	end := at + signals.Buckets*(1+stride)
	if len(file) < end {
		return nil, fmt.Errorf("weights: %d bytes, want at least %d", len(file), end)
	}
	w.rarity, w.grams = file[at:at+signals.Buckets], file[at+signals.Buckets:end]
	if t := w.settings.Temperature; !(t > 0) || math.IsInf(float64(t), 0) {
		return nil, fmt.Errorf("weights: temperature %g, want more than 0", t)
	}
	if err := w.decodeForests(file[end:]); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *weights) decodeForests(rest []byte) (err error) {
	for _, f := range []struct {
		to              **forest
		classes, inputs int
	}{{&w.tiers, tierCount, tierInputs}, {&w.follows, 1, followInputs}, {&w.priors, tierCount, tierInputs}} {
		if *f.to, rest, err = decodeForest(rest, f.classes, f.inputs); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		return fmt.Errorf("weights: %d bytes too many", len(rest))
	}
	return nil
}

// sums are what the model says of one text, before anything is decided.
type sums struct {
	total [outputs]float32
	// kinds is what each kind of gram, and at last the plain signals, adds to the
	// tiers, of a message and of a prior turn: a language may be known better by one
	// of them than by another.
	kinds [kindCount][tierLike]float32
}

const (
	kindCount = signals.Kinds + 1
	tierLike  = 2 * tierCount
)

// weigh adds up the weights of all that a text shows.
func (w *weights) weigh(text *signals.Text, to *sums) {
	to.total = w.bias
	for kind, p := range w.parts(text.Grams) {
		to.add(kind, w.scaled(&p))
	}
	to.add(signals.Kinds, w.plain(text))
}

// plain adds up the weights of the plain signals.
func (w *weights) plain(text *signals.Text) (sum [outputs]float32) {
	for i, value := range text.Dense {
		if value != 0 {
			for o, weight := range &w.dense[i] {
				sum[o] += value * weight
			}
		}
	}
	return sum
}

// add adds what one kind amounts to.
func (s *sums) add(kind int, sum [outputs]float32) {
	for o, value := range sum {
		s.total[o] += value
	}
	copy(s.kinds[kind][:tierCount], sum[:])
	copy(s.kinds[kind][tierCount:], sum[priorTiers:])
}

// inputs writes the sums as the trees see them.
func (s *sums) inputs(to []float32) {
	to = to[copy(to, s.total[:]):]
	for kind := range s.kinds {
		to = to[copy(to, s.kinds[kind][:]):]
	}
}

// part is what the grams of one kind add up to, in steps of the outputs.
type part struct {
	sum     [stride]int32
	squares int64 // of their rarities
}

// parts adds up the grams: words, pieces of words and concepts apart, since a
// long word has many pieces.
func (w *weights) parts(grams []uint32) (parts [signals.Kinds]part) {
	var lanes [signals.Kinds]lanes
	for _, gram := range grams {
		rarity := int64(w.rarity[gram])
		if rarity == 0 {
			continue // training has not seen it
		}
		kind := signals.Kind(gram)
		parts[kind].squares += rarity * rarity
		if l := &lanes[kind]; l.add((*[stride]byte)(w.grams[int(gram)*stride:])) {
			l.drain(&parts[kind].sum)
		}
	}
	for kind := range lanes {
		lanes[kind].drain(&parts[kind].sum)
	}
	return parts
}

// scaled is a part in the steps of the outputs, for a text of any length.
func (w *weights) scaled(p *part) (sum [outputs]float32) {
	if p.squares == 0 {
		return sum
	}
	length := float32(math.Sqrt(float64(p.squares)) / 16)
	for o := range sum {
		sum[o] = float32(p.sum[o]) * w.scale[o] / length
	}
	return sum
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
const revision = 3
