package dataset

import (
	"encoding/binary"
	"math/bits"

	"bgtrain/internal/bg"
)

// keyTable maps position keys to values. It takes 12 to 25 bytes a key besides the value, and, since it grows
// shard by shard, hardly more while it grows. The zero value is empty.
type keyTable[V any] struct {
	shards [tableShards]tableShard[V]
	n      int
}

// KeySet is a set of positions, 12 to 25 bytes each. The zero value is empty.
type KeySet struct{ table keyTable[struct{}] }

// Add adds the key of a board, and reports whether it is new.
func (s *KeySet) Add(k bg.Key) (isNew bool) {
	_, isNew = s.table.at(k)
	return isNew
}

// Has reports whether a key was added.
func (s *KeySet) Has(k bg.Key) bool { return s.table.get(k) != nil }

const tableShards = 256

// tableShard is an open-addressing hash table. The key of all zeros marks an
// empty slot: it would be a board without checkers.
type tableShard[V any] struct {
	keys []bg.Key
	vals []V
	used int
}

// at returns where the value of k is, and whether k is new; then the value is
// zero. The place is valid until the next call.
func (t *keyTable[V]) at(k bg.Key) (v *V, isNew bool) {
	h := hashKey(k)
	s := &t.shards[h%tableShards]
	if s.used*5 >= len(s.keys)*4 {
		s.grow()
	}
	i := s.find(k, h)
	if isNew = s.keys[i] != k; isNew {
		s.keys[i] = k
		s.used++
		t.n++
	}
	return &s.vals[i], isNew
}

// get returns where the value of k is, nil if k is not there.
func (t *keyTable[V]) get(k bg.Key) *V {
	h := hashKey(k)
	s := &t.shards[h%tableShards]
	if len(s.keys) == 0 || k == (bg.Key{}) {
		return nil
	}
	if i := s.find(k, h); s.keys[i] == k {
		return &s.vals[i]
	}
	return nil
}

// find returns the slot of k, or the empty slot where it belongs.
func (s *tableShard[V]) find(k bg.Key, h uint64) int {
	// The upper half of h, scaled to the table's size.
	i := int(h >> 32 * uint64(len(s.keys)) >> 32)
	for s.keys[i] != k && s.keys[i] != (bg.Key{}) {
		if i++; i == len(s.keys) {
			i = 0
		}
	}
	return i
}

func (s *tableShard[V]) grow() {
	old := *s
	size := max(16, 2*len(old.keys))
	s.keys, s.vals = make([]bg.Key, size), make([]V, size)
	for j, k := range old.keys {
		if k != (bg.Key{}) {
			i := s.find(k, hashKey(k))
			s.keys[i], s.vals[i] = k, old.vals[j]
		}
	}
}

// hashKey mixes all 80 bits into 64.
func hashKey(k bg.Key) uint64 {
	lo := binary.LittleEndian.Uint64(k[:8])
	hi := uint64(binary.LittleEndian.Uint16(k[8:]))
	a, b := bits.Mul64(lo^0x9E3779B97F4A7C15, hi^0xD6E8FEB86659FD93)
	c, d := bits.Mul64(a^b^lo, 0xA0761D6478BD642F)
	return c ^ d
}
