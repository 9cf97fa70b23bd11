package signals

// Text is what one text shows, in numbers. A Text may be read into again and
// again, and allocates nothing then.
type Text struct {
	// Dense are the plain signals: cues, kinds of lines, counts.
	Dense [DenseCount]float32
	// Grams are the buckets of the words and pieces of words, each once, in the
	// order in which they stand.
	Grams []uint32

	signals signals

	seen  [Buckets / 64]uint64
	prose [proseSpace]byte
}

// Read puts what a text shows in place of what stood there. The text must be
// valid UTF-8; of more than 8 KiB of it the rest is not looked at.
func (t *Text) Read(text string) {
	for _, bucket := range t.Grams {
		t.seen[bucket/64] = 0
	}
	t.Grams = t.Grams[:0]
	var prose []byte
	t.signals, prose = scan(text, t.prose[:0])
	t.cut(prose)
	t.signals.dense(&t.Dense)
}

func (t *Text) addWord(h uint32) bool { return t.add(h % Pieces) }

func (t *Text) addPiece(h uint32) { t.add(Pieces + h%Pieces) }

// add reports whether the gram was not there before.
func (t *Text) add(bucket uint32) bool {
	if t.has(bucket) {
		return false
	}
	t.seen[bucket/64] |= 1 << (bucket % 64)
	t.Grams = append(t.Grams, bucket)
	return true
}

func (t *Text) has(bucket uint32) bool { return t.seen[bucket/64]&(1<<(bucket%64)) != 0 }
