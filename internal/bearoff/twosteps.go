package bearoff

import (
	"context"
	"encoding/binary"
	"errors"
	"strconv"

	"bgtrain/internal/identity"
)

const (
	// keptFrom is the number of checkers a side from which the computation of a
	// two-sided database is kept as it goes on: fewer take seconds.
	keptFrom = 10
	// stepSize is how many bytes are kept at a time.
	stepSize = 4 << 20
)

// buildTwoSidedInSteps is buildTwoSided with the result in the file path. What is
// finished stays on disk, beside it, so that the same call goes on after a kill.
func buildTwoSidedInSteps(ctx context.Context, path string, checkers, workers, size int,
	done func(pairs int)) (*twoSided, error) {
	t, next := newTwoSided(checkers), 1
	id := identity.ID{"two-sided": strconv.Itoa(checkers), "version": strconv.Itoa(version)}
	s, err := openSteps(ctx, path, id, func(step []byte) error {
		for len(step) > 0 {
			if next == t.n || len(step) < 4*pairsOf(next) {
				return errors.New("too long, or cut off")
			}
			step = t.restore(next, step)
			done(pairsOf(next))
			next++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if t, err := readTwoSided(path, checkers); err == nil { // by another process, meanwhile
		return t, s.remove()
	}
	var buf []byte
	err = t.build(ctx, next, workers, func(a int) error {
		done(pairsOf(a))
		if buf = t.appendStep(buf, a); len(buf) < size && a < t.n-1 {
			return nil
		}
		err := s.add(buf)
		buf = buf[:0]
		return err
	})
	if err == nil {
		err = writeTwoSided(path, t)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return t, s.remove()
}

// appendStep appends what step a computes: the row, then the column.
func (t *twoSided) appendStep(b []byte, a int) []byte {
	for x := 1; x <= a; x++ {
		b = binary.LittleEndian.AppendUint32(b, t.moved[a*t.n+x])
	}
	for y := 1; y < a; y++ {
		b = binary.LittleEndian.AppendUint32(b, t.moved[y*t.n+a])
	}
	return b
}

// restore takes in what appendStep appended, and returns what follows.
func (t *twoSided) restore(a int, b []byte) []byte {
	for x := 1; x <= a; x++ {
		t.moved[a*t.n+x] = binary.LittleEndian.Uint32(b)
		b = b[4:]
	}
	for y := 1; y < a; y++ {
		t.moved[y*t.n+a] = binary.LittleEndian.Uint32(b)
		b = b[4:]
	}
	return b
}
