package bearoff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"slices"

	"bgtrain/internal/atomicfile"
)

// A database file is a header, the data and a CRC-32C of both, little-endian:
//
//	offset  size
//	0       16    magic
//	16      4     version
//	20      4     kind: 1 one-sided, 2 two-sided, 3 one-sided of more points
//	24      4     checkers a side
//	28      4     points of kind 3, else 0
//	32      8     length of the data in bytes
//	40            data
//	              CRC-32C of all that, 4 bytes
const (
	magic      = "bgtrain bearoff\n"
	version    = 1 // 1: two-sided in units of 2^-31
	headerSize = 40
	chunkSize  = 1 << 18

	kindOneSided = 1
	kindTwoSided = 2
	kindWide     = 3
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errDamaged is wrapped by the errors for files that are not whole databases of this version.
var errDamaged = errors.New("not a whole bearoff database of this version")

func header(kind, checkers, points, length int) []byte {
	h := make([]byte, 0, headerSize)
	h = append(h, magic...)
	h = binary.LittleEndian.AppendUint32(h, version)
	h = binary.LittleEndian.AppendUint32(h, uint32(kind))
	h = binary.LittleEndian.AppendUint32(h, uint32(checkers))
	h = binary.LittleEndian.AppendUint32(h, uint32(points))
	return binary.LittleEndian.AppendUint64(h, uint64(length))
}

// writeFile writes a database file; data writes exactly length bytes.
func writeFile(path string, kind, checkers, points, length int, data func(w io.Writer) error) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		sum := crc32.New(castagnoli)
		both := io.MultiWriter(w, sum)
		if _, err := both.Write(header(kind, checkers, points, length)); err != nil {
			return err
		}
		if err := data(both); err != nil {
			return err
		}
		_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
		return err
	})
}

// readFile checks a database file and gives its data to data in pieces, each but
// the last of chunkSize bytes. What data has made of it is good only if readFile
// returns no error; left is how much follows the piece. length is the expected length of the data, or -1 for any.
func readFile(path string, kind, checkers, length int, data func(piece []byte, left int) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	left := int(info.Size()) - headerSize - 4
	if left < 0 || length >= 0 && left != length {
		return fmt.Errorf("read %s: %w: %d bytes long", path, errDamaged, info.Size())
	}
	sum := crc32.New(castagnoli)
	in := io.TeeReader(f, sum)
	head := make([]byte, headerSize)
	if _, err := io.ReadFull(in, head); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if !bytes.Equal(head, header(kind, checkers, 0, left)) {
		return fmt.Errorf("read %s: %w: header % x", path, errDamaged, head)
	}
	for buf := make([]byte, chunkSize); left > 0; {
		piece := buf[:min(left, chunkSize)]
		if _, err := io.ReadFull(in, piece); err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		left -= len(piece)
		if err := data(piece, left); err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
	}
	var tail [4]byte
	if _, err := io.ReadFull(f, tail[:]); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if got, want := sum.Sum32(), binary.LittleEndian.Uint32(tail[:]); got != want {
		return fmt.Errorf("read %s: %w: checksum %08x, expected %08x", path, errDamaged, got, want)
	}
	return nil
}

// The data of the one-sided database: for each position the bytes Min, Max and the number of entries of P from Min
// on, then these as float32; then, with all checkers on the board, First as float32.

func writeOneSided(path string, dists []Dist) error {
	var data []byte
	fifteen := Positions(maxCheckers - 1)
	for id := range dists {
		d := &dists[id]
		end := len(d.P)
		for end > int(d.Min)+1 && d.P[end-1] == 0 {
			end--
		}
		data = append(data, d.Min, d.Max, uint8(end)-d.Min)
		data = appendFloats(data, d.P[d.Min:end])
		if id >= fifteen {
			data = appendFloats(data, d.First[:])
		}
	}
	return writeFile(path, kindOneSided, maxCheckers, 0, len(data), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func readOneSided(path string) ([]Dist, error) {
	var data []byte
	err := readFile(path, kindOneSided, maxCheckers, -1, func(piece []byte, left int) error {
		data = append(slices.Grow(data, len(piece)+left), piece...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	short := fmt.Errorf("read %s: %w: data too short", path, errDamaged)
	if len(data) < NumOneSided*3 {
		return nil, short
	}
	dists := make([]Dist, NumOneSided)
	fifteen := Positions(maxCheckers - 1)
	for id := range dists {
		d := &dists[id]
		if len(data) < 3 {
			return nil, short
		}
		first, count := int(data[0]), int(data[2])
		d.Min, d.Max = data[0], data[1]
		data = data[3:]
		if first+count > len(d.P) || len(data) < 4*count {
			return nil, short
		}
		data = takeFloats(d.P[first:first+count], data)
		d.First[0] = 1
		if id >= fifteen {
			if len(data) < 4*numFirst {
				return nil, short
			}
			data = takeFloats(d.First[:], data)
		}
		d.derive()
	}
	if len(data) > 0 {
		return nil, fmt.Errorf("read %s: %w: %d bytes too many", path, errDamaged, len(data))
	}
	return dists, nil
}

func appendFloats(b []byte, values []float32) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// takeFloats fills values from b and returns the rest of b.
func takeFloats(values []float32, b []byte) []byte {
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return b[4*len(values):]
}

// The data of the two-sided database is its table moved as uint32.

func writeTwoSided(path string, t *twoSided) error {
	return writeFile(path, kindTwoSided, t.checkers, 0, 4*len(t.moved), func(w io.Writer) error {
		buf := make([]byte, 0, chunkSize)
		for rest := t.moved; len(rest) > 0; {
			part := rest[:min(len(rest), chunkSize/4)]
			rest = rest[len(part):]
			buf, _ = binary.Append(buf[:0], binary.LittleEndian, part)
			if _, err := w.Write(buf); err != nil {
				return err
			}
		}
		return nil
	})
}

func readTwoSided(path string, checkers int) (*twoSided, error) {
	n := Positions(checkers)
	t := &twoSided{checkers: checkers, n: n}
	rest := []uint32{}
	err := readFile(path, kindTwoSided, checkers, 4*n*n, func(piece []byte, _ int) error {
		if t.moved == nil { // not before the header is known to be good
			t.moved = make([]uint32, n*n)
			rest = t.moved
		}
		_, err := binary.Decode(piece, binary.LittleEndian, rest[:len(piece)/4])
		rest = rest[len(piece)/4:]
		return err
	})
	return t, err
}
