package replay

import (
	"google.golang.org/protobuf/proto"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
)

// forRegime is a configuration that prunes, at the prices of a regime.
func forRegime(cfg *config.Config, r Regime) *config.Config {
	clone := proto.CloneOf(cfg.Config)
	prune := clone.GetPrune()
	prune.Enabled = new(true)
	prune.CachedReadRatio = new(r.Read)
	prune.CacheWriteRatio = new(r.Write)
	for _, virtual := range clone.GetVirtualModels() {
		// Whoever tries a model in shadow mode wants to know what it would save.
		virtual.Mode, virtual.RolloutPercent = new(decision.ModeEnforce), new(int32(100))
	}
	return &config.Config{Config: clone, Hash: cfg.Hash, PruneHash: cfg.PruneHash}
}
