package replay

import (
	"google.golang.org/protobuf/proto"

	"github.com/pointsman/pointsman/filter/config"
)

// forRegime is a configuration that prunes, at the prices of a regime.
func forRegime(cfg *config.Config, r Regime) *config.Config {
	clone := proto.CloneOf(cfg.Config)
	prune := clone.GetPrune()
	prune.Enabled = new(true)
	prune.CachedReadRatio = new(r.Read)
	prune.CacheWriteRatio = new(r.Write)
	return &config.Config{Config: clone, Hash: cfg.Hash, PruneHash: cfg.PruneHash}
}
