package prune

import (
	"math"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// Pruner prunes by one policy. It holds no state and may be used concurrently.
type Pruner struct {
	enabled  bool
	trim     bool // long results are trimmed rather than replaced
	sealed   bool // nothing is changed in front of signed thinking
	errors   bool // results that say they are errors are kept
	excluded map[string]bool

	budget     int // tokens of the messages below which nothing is pruned
	minSavings int // tokens that a cut must save
	rounds     int // how many of the newest are kept
	longChars  int // characters above which a result is long
	calls      int // model calls expected at most

	read, rewrite int // see ratio
}

// ratio is the unit of prices: what a token costs that is neither read from a
// cache nor written to one. Plans are made of integers, since floating point
// need not give the same on every machine.
const ratio = 10_000

// New makes a Pruner of a valid configuration.
func New(cfg *configv1.Prune) *Pruner {
	read := units(cfg.GetCachedReadRatio())
	p := &Pruner{
		enabled:    cfg.GetEnabled(),
		trim:       cfg.GetLongResults() == "trim",
		sealed:     cfg.GetBeforeSealed() == "keep",
		errors:     cfg.GetKeepErrors(),
		excluded:   make(map[string]bool, len(cfg.GetExcludeTools())),
		budget:     int(cfg.GetBudgetTokens()),
		minSavings: int(cfg.GetMinSavingsTokens()),
		rounds:     int(cfg.GetKeepLastRounds()),
		longChars:  int(cfg.GetMaxSummarizeChars()),
		calls:      int(cfg.GetExpectedCalls()),
		read:       read,
		rewrite:    max(units(cfg.GetCacheWriteRatio())-read, 0),
	}
	for _, name := range cfg.GetExcludeTools() {
		p.excluded[name] = true
	}
	return p
}

func units(price float64) int { return int(math.Round(price * ratio)) }
