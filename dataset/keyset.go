package dataset

import "bgtrain/internal/bg"

// KeySet is a set of positions, 13 to 26 bytes each. The zero value is empty.
type KeySet struct{ keys map[bg.Key]struct{} }

// Add adds the key of a board, and reports whether it is new.
func (s *KeySet) Add(k bg.Key) (isNew bool) {
	if s.keys == nil {
		s.keys = map[bg.Key]struct{}{}
	}
	before := len(s.keys)
	s.keys[k] = struct{}{}
	return len(s.keys) > before
}

// Has reports whether a key was added.
func (s *KeySet) Has(k bg.Key) bool {
	_, has := s.keys[k]
	return has
}
