package player

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync/atomic"

	"bgtrain/internal/bg"
)

// cache maps positions to their outputs, for all goroutines at once and without
// locks. A slot is four words of which the first is stored combined with the
// others by exclusive or, so that a slot torn between two writers does not match
// any key and counts as a miss.
type cache struct {
	slots []slot
	shift uint
}

type slot [4]atomic.Uint64

// cacheKey is a position's key with the ply of its evaluation.
type cacheKey struct {
	lo uint64
	hi uint32 // 16 bits of the key, then ply + 1: never 0
}

func makeCacheKey(b *bg.Board, ply int) cacheKey {
	k := b.Key()
	return cacheKey{
		lo: binary.LittleEndian.Uint64(k[:8]),
		hi: uint32(k[8]) | uint32(k[9])<<8 | uint32(ply+1)<<16,
	}
}

// newCache returns a cache of the largest power of two of slots within mb MiB.
func newCache(mb int) *cache {
	n := uint(bits.Len(uint(mb)<<20/32)) - 1
	return &cache{slots: make([]slot, 1<<n), shift: 64 - n}
}

func (c *cache) slot(k cacheKey) *slot {
	h := (k.lo ^ uint64(k.hi)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return &c.slots[h>>c.shift]
}

func (c *cache) get(k cacheKey, out *bg.Outputs) bool {
	s := c.slot(k)
	w1 := s[1].Load()
	if uint32(w1) != k.hi {
		return false
	}
	w2, w3 := s[2].Load(), s[3].Load()
	if s[0].Load()^w1^w2^w3 != k.lo {
		return false
	}
	*out = bg.Outputs{
		math.Float32frombits(uint32(w1 >> 32)),
		math.Float32frombits(uint32(w2)), math.Float32frombits(uint32(w2 >> 32)),
		math.Float32frombits(uint32(w3)), math.Float32frombits(uint32(w3 >> 32)),
	}
	return true
}

func (c *cache) put(k cacheKey, out *bg.Outputs) {
	pair := func(a, b float32) uint64 {
		return uint64(math.Float32bits(a)) | uint64(math.Float32bits(b))<<32
	}
	w1 := uint64(k.hi) | uint64(math.Float32bits(out[0]))<<32
	w2, w3 := pair(out[1], out[2]), pair(out[3], out[4])
	s := c.slot(k)
	s[0].Store(k.lo ^ w1 ^ w2 ^ w3)
	s[1].Store(w1)
	s[2].Store(w2)
	s[3].Store(w3)
}
