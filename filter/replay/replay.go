package replay

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
)

// Options choose what is replayed, and how.
type Options struct {
	// Regimes are the prices to reckon with.
	Regimes Regimes
	// Model is what the requests ask for; empty for the configuration's first
	// virtual model.
	Model string
	// Of every Every sessions, the one at Offset is replayed, up to Limit of them;
	// 0 is no limit. Settings that are chosen on one half of the sessions can so
	// be tried on the other.
	Every, Offset, Limit int
	// Stdin is what the path "-" reads.
	Stdin io.Reader
	// Problem is told of each session that cannot be read or replayed, and of each
	// broken promise, with file and line.
	Problem func(string)
	// Progress is told how many sessions are done, and what share of the files is
	// read: from 0 to 1, or 0 where that is not known.
	Progress func(sessions int, share float64)
}

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	switch {
	case len(o.Regimes) == 0:
		return errors.New("regimes: at least one is needed, such as 0.1/1.25")
	case o.Every < 1:
		return fmt.Errorf("every: must be at least 1 (is %d)", o.Every)
	case o.Offset < 0 || o.Offset >= o.Every:
		return fmt.Errorf("offset: must be from 0 to %d, one less than every (is %d)", o.Every-1, o.Offset)
	case o.Limit < 0:
		return fmt.Errorf("limit: must be at least 0 (is %d)", o.Limit)
	}
	return nil
}

// Replay replays sessions by one configuration.
type Replay struct {
	Options

	lives    []live // by regime
	model    []byte // as a JSON string
	keep     int    // what the baselines keep
	settings jsontext.Value
	off      bool // the configuration does not prune
}

// New prepares a replay. Its sessions are pruned whether or not the configuration
// has pruning on.
func New(cfg *config.Config, options Options) (*Replay, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	if options.Model == "" {
		if len(cfg.GetVirtualModels()) == 0 {
			return nil, errors.New("the configuration has no virtual model: say which model the requests ask for")
		}
		options.Model = cfg.GetVirtualModels()[0].GetName()
	}
	r := &Replay{Options: options, keep: int(cfg.GetPrune().GetKeepLastRounds()), off: !cfg.GetPrune().GetEnabled()}
	var err error
	if r.model, err = jsontext.AppendQuote(nil, options.Model); err != nil {
		return nil, fmt.Errorf("the model's name is no text: %w", err)
	}
	if r.settings, err = decision.JSON(cfg.GetPrune()); err != nil {
		return nil, err
	}
	for _, regime := range options.Regimes {
		l, err := newLive(cfg, regime)
		if err != nil {
			return nil, err
		}
		r.lives = append(r.lives, l)
	}
	return r, nil
}
