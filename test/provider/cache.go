package provider

import (
	"crypto/sha256"
	"sync"
)

// OpenAI documentation, prompt caching: prefixes of at least 1024 tokens are
// cached, and grow in steps of 128 tokens.
const (
	cacheMinimum = 1024
	cacheStep    = 128
)

// cachedPrefixes bounds the memory of a cache, at 32 bytes each; a full cache
// starts anew.
const cachedPrefixes = 1 << 16

// A promptCache remembers the prefixes of bodies by their digests.
type promptCache struct {
	mutex sync.Mutex
	seen  map[[sha256.Size]byte]bool
}

// read returns how many tokens at the beginning of a body were seen before,
// and remembers the body.
func (c *promptCache) read(model string, body []byte) int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.seen == nil || len(c.seen) > cachedPrefixes {
		c.seen = make(map[[sha256.Size]byte]bool)
	}
	known := 0
	digest := sha256.Sum256([]byte(model))
	const step = cacheStep * bytesPerToken
	for ; len(body) >= step; body = body[step:] {
		// Each digest covers all that came before it.
		digest = sha256.Sum256(append(digest[:], body[:step]...))
		if c.seen[digest] {
			known += cacheStep
		}
		c.seen[digest] = true
	}
	if known < cacheMinimum {
		return 0
	}
	return known
}
