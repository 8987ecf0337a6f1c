package bm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

// Keys is a set of positions.
type Keys map[bg.Key]bool

// Has reports whether a position is among them.
func (s Keys) Has(k bg.Key) bool { return s[k] }

// Digest distinguishes sets of positions: their number and the SHA-256, cut to 128
// bits, of the keys in their order; "none" of the empty set.
func (s Keys) Digest() string {
	if len(s) == 0 {
		return "none"
	}
	keys := make([]bg.Key, 0, len(s))
	for k := range s {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b bg.Key) int { return bytes.Compare(a[:], b[:]) })
	h := sha256.New()
	for i := range keys {
		h.Write(keys[i][:])
	}
	return fmt.Sprintf("%d:%s", len(s), hex.EncodeToString(h.Sum(nil)[:16]))
}

// ReadKeys returns the positions of databases and benchmark files, those of all
// candidates and of cube decisions included.
func ReadKeys(ctx context.Context, paths []string) (Keys, error) {
	keys := Keys{}
	for _, path := range paths {
		if path != data.Embedded && IsBenchmark(path) {
			f, err := ReadFile(path, ReadOptions{})
			if err != nil {
				return nil, fmt.Errorf("exclude %w", err)
			}
			for i := range f.Records {
				keys[f.Records[i].Key] = true
				for _, c := range f.Records[i].Candidates {
					keys[c.Key] = true
				}
			}
			for i := range f.Cubes {
				keys[f.Cubes[i].Key] = true
			}
			continue
		}
		db, err := data.OpenDatabase(path)
		if err != nil {
			return nil, fmt.Errorf("exclude: %w", err)
		}
		for r, err := range db.Rows(ctx, dataset.Filter{Columns: dataset.ColClass}) {
			if err != nil {
				return nil, fmt.Errorf("exclude: %w", err)
			}
			keys[r.Key] = true
		}
	}
	return keys, nil
}
