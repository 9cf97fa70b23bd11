package replay

import (
	"fmt"
	"strconv"
	"strings"
)

// Regime is how a provider charges for its prompt cache, relative to the price
// of a plain input token.
type Regime struct {
	Read  float64 // of a token that is read from the cache
	Write float64 // of a token that is not, and is written to it
}

// String is the regime as the command line has it: 0.1/1.25.
func (r Regime) String() string { return number(r.Read) + "/" + number(r.Write) }

func number(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }

// Regimes is a list of regimes, written "0.1/1.25,0.1/1".
type Regimes []Regime

// DefaultRegimes are those of today's providers: a write that costs extra, one
// that does not, a cache at half price, none at all, and a long-lived cache.
func DefaultRegimes() Regimes { return Regimes{{0.1, 1.25}, {0.1, 1}, {0.5, 1}, {1, 1}, {0.1, 2}} }

// MarshalText writes the list.
func (r Regimes) MarshalText() ([]byte, error) {
	texts := make([]string, len(r))
	for i, regime := range r {
		texts[i] = regime.String()
	}
	return []byte(strings.Join(texts, ",")), nil
}

// UnmarshalText reads a list. The bounds of the two ratios are those of
// prune.cached_read_ratio and prune.cache_write_ratio.
func (r *Regimes) UnmarshalText(text []byte) error {
	var list Regimes
	seen := make(map[Regime]bool)
	for part := range strings.SplitSeq(string(text), ",") {
		regime, err := parseRegime(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		if seen[regime] {
			return fmt.Errorf("%s stands twice", regime)
		}
		seen[regime] = true
		list = append(list, regime)
	}
	*r = list
	return nil
}

func parseRegime(text string) (Regime, error) {
	read, write, found := strings.Cut(text, "/")
	if !found {
		return Regime{}, fmt.Errorf("%q must be two ratios to the input price, for reading and writing the cache, such as 0.1/1.25", text)
	}
	r, err := ratio(read, "reading", 1)
	if err != nil {
		return Regime{}, err
	}
	w, err := ratio(write, "writing", 10)
	return Regime{Read: r, Write: w}, err
}

func ratio(text, what string, most float64) (float64, error) {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= most) {
		return 0, fmt.Errorf("the ratio for %s the cache must be a number from 0 to %g (is %q)", what, most, text)
	}
	return value, nil
}
