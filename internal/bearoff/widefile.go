package bearoff

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
)

// The data of a one-sided database of more points than six is read where it lies, mapped into memory:
//
//	index    for each position 4 bytes: where its record begins, in units of 2
//	         bytes from the end of the index
//	records  for each position, in any order:
//	         4 bytes  the first number of rolls with a chance and the number of
//	                  entries, for all checkers, and for the first of fifteen
//	                  (0 entries where fewer are left)
//	         2 bytes  an entry, in units of 1/65535; those of a distribution add up
//	                  to 1
//
// The last entry of 31 rolls stands for 31 or more.
const (
	recordHead = 4
	unit       = math.MaxUint16 // the chance 1
)

// units rounds a distribution. The sums up to each entry are rounded, so that these
// are off by half a unit at most, entries by one, and all add up to 1. Entries at the
// ends that are 0 are left out, skipped of them at the beginning.
func units(run []byte) (out []uint16, skipped int) {
	sum, given := 0.0, 0
	for i := 0; i < len(run); i += 4 {
		sum += float64(float32At(run[i:]))
		upTo := min(int(math.RoundToEven(sum*unit)), unit)
		if i+4 == len(run) {
			upTo = unit
		}
		if upTo > given || len(out) > 0 {
			out = append(out, uint16(upTo-given))
		} else {
			skipped++
		}
		given = upTo
	}
	for len(out) > 0 && out[len(out)-1] == 0 {
		out = out[:len(out)-1]
	}
	return out, skipped
}

// record appends the record of a row.
func record(b []byte, r *wideRow) []byte {
	all, skipped := units(r.run[0])
	first, skippedFirst := units(r.run[1])
	b = append(b, uint8(r.from[0]+skipped), uint8(len(all)), uint8(r.from[1]+skippedFirst), uint8(len(first)))
	for _, u := range slices.Concat(all, first) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// write writes the database from the steps that computed it.
func (b *wideBuilder) write(path string, s *steps) error {
	index := make([]byte, 4*len(b.pips))
	length, pips := 0, 0
	var buf []byte
	records := func(step []byte, each func(id uint32, record []byte) error) error {
		for _, id := range b.positions(pips) {
			r, size, err := rowAt(step)
			if err != nil {
				return err
			}
			step = step[size:]
			buf = record(buf[:0], &r)
			if err := each(id, buf); err != nil {
				return err
			}
		}
		pips++
		return nil
	}
	err := s.each(func(step []byte) error {
		return records(step, func(id uint32, record []byte) error {
			binary.LittleEndian.PutUint32(index[4*id:], uint32(length/2))
			length += len(record)
			return nil
		})
	})
	if err != nil {
		return err
	}
	pips = 0
	return writeFile(path, kindWide, maxCheckers, b.n.points, len(index)+length, func(w io.Writer) error {
		if _, err := w.Write(index); err != nil {
			return err
		}
		return s.each(func(step []byte) error {
			return records(step, func(_ uint32, record []byte) error {
				_, err := w.Write(record)
				return err
			})
		})
	})
}

// wide is a one-sided database of more points than six. It does not change: goroutines can share it.
type wide struct {
	n       *numbering
	fifteen uint32 // the first position with all checkers on the board
	index   []byte
	records []byte
	unmap   func() error
}

// openWide opens the database of so many points and checks all of it.
func openWide(path string, points int) (*wide, error) {
	data, unmap, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	w, err := parseWide(data, points)
	if err != nil {
		_ = unmap()
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	w.unmap = unmap
	return w, nil
}

func (w *wide) close() error { return w.unmap() }

// parseWide makes a database of a whole file. What it returns can be read without further checks.
func parseWide(data []byte, points int) (*wide, error) {
	n := newNumbering(points)
	positions := n.positions(maxCheckers)
	if len(data) < headerSize+4*positions+4 {
		return nil, fmt.Errorf("%w: %d bytes long", errDamaged, len(data))
	}
	body, tail := data[:len(data)-4], data[len(data)-4:]
	if want := header(kindWide, maxCheckers, points, len(body)-headerSize); string(body[:headerSize]) != string(want) {
		return nil, fmt.Errorf("%w: header % x", errDamaged, body[:headerSize])
	}
	if got, want := crc32.Checksum(body, castagnoli), binary.LittleEndian.Uint32(tail); got != want {
		return nil, fmt.Errorf("%w: checksum %08x, expected %08x", errDamaged, got, want)
	}
	w := &wide{n: n, fifteen: uint32(n.positions(maxCheckers - 1)), index: body[headerSize:][:4*positions],
		records: body[headerSize+4*positions:], unmap: func() error { return nil }}
	for id := range uint32(positions) {
		if !w.whole(id) {
			s := n.position(id)
			return nil, fmt.Errorf("%w: position %d, %v", errDamaged, id, s[:points])
		}
	}
	return w, nil
}

// whole reports whether the record of a position is one.
func (w *wide) whole(id uint32) bool {
	at := 2 * int(binary.LittleEndian.Uint32(w.index[4*id:]))
	if at+recordHead > len(w.records) {
		return false
	}
	head := w.records[at:][:recordHead]
	all, first := int(head[1]), int(head[3])
	if int(head[0])+all > maxRolls || int(head[2])+first > maxRolls || (first > 0) != (id >= w.fifteen) ||
		at+recordHead+2*(all+first) > len(w.records) {
		return false
	}
	p, f := w.runs(id)
	return p.sum() == unit && (first == 0 || f.sum() == unit)
}
