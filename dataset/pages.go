package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// Pages come from the Parquet library decompressed; their values are decoded
// here. The library's own column readers do not end on some damaged levels, and
// copy more than is needed.

// maxAlloc bounds what a page header can make the Parquet library allocate.
const maxAlloc = 1 << 29

// boundedAllocator is Go's allocator, but panics above maxAlloc; guard makes
// that an error.
type boundedAllocator struct{ memory.Allocator }

func (a boundedAllocator) Allocate(size int) []byte {
	if size > maxAlloc {
		panic(fmt.Errorf("a page of %d bytes", size))
	}
	return a.Allocator.Allocate(size)
}

func (a boundedAllocator) Reallocate(size int, b []byte) []byte {
	if size > maxAlloc {
		panic(fmt.Errorf("a page of %d bytes", size))
	}
	return a.Allocator.Reallocate(size, b)
}

func readerProperties() *parquet.ReaderProperties {
	p := parquet.NewReaderProperties(boundedAllocator{memory.NewGoAllocator()})
	p.BufferedStreamEnabled = true
	p.BufferSize = 32 << 10
	return p
}

var errShort = errors.New("a page is shorter than its number of values")

// chunk is a column of a row group: a value for each level that is set, or for
// each row where levels is empty.
type chunk[T any] struct {
	values []T
	levels []uint32 // 1 where the row has a value; empty if all have
	dict   []T
	index  []uint32
}

// plainDecoder appends n values in Parquet's PLAIN encoding to dst.
type plainDecoder[T any] func(dst []T, data []byte, n int) ([]T, error)

// read fills c from column col, of rows rows.
func (c *chunk[T]) read(group *file.RowGroupReader, col, rows int, plain plainDecoder[T]) error {
	c.values, c.levels, c.dict = c.values[:0], c.levels[:0], c.dict[:0]
	pages, err := group.GetColumnPageReader(col)
	if err != nil {
		return err
	}
	maxLevel := group.MetaData().Schema.Column(col).MaxDefinitionLevel()
	seen, haveDict := 0, false
	for pages.Next() {
		switch p := pages.Page().(type) {
		case *file.DictionaryPage:
			if haveDict {
				return errors.New("two dictionaries")
			}
			haveDict = true
			c.dict, err = plain(c.dict, p.Data(), int(p.NumValues()))
		case *file.DataPageV1:
			levels, data := []byte(nil), p.Data()
			if maxLevel > 0 {
				if p.DefinitionLevelEncoding() != parquet.Encodings.RLE {
					return fmt.Errorf("levels in encoding %v are not supported", p.DefinitionLevelEncoding())
				}
				levels, data, err = cutLevels(data)
			}
			if err == nil {
				err = c.page(parquet.Encoding(p.Encoding()), int(p.NumValues()), rows-seen, levels, data, plain)
			}
			seen += int(p.NumValues())
		case *file.DataPageV2:
			data := p.Data()
			r, d := int(p.RepetitionLevelByteLen()), int(p.DefinitionLevelByteLen())
			if r < 0 || d < 0 || r+d > len(data) {
				return errShort
			}
			var levels []byte
			if maxLevel > 0 {
				levels = data[r : r+d]
			}
			err = c.page(parquet.Encoding(p.Encoding()), int(p.NumValues()), rows-seen, levels, data[r+d:], plain)
			seen += int(p.NumValues())
		}
		if err != nil {
			return err
		}
	}
	if err := pages.Err(); err != nil {
		return err
	}
	if seen != rows {
		return fmt.Errorf("%d values, the row group has %d rows", seen, rows)
	}
	return nil
}

// cutLevels splits the length-prefixed levels off a page.
func cutLevels(data []byte) (levels, rest []byte, err error) {
	if len(data) < 4 {
		return nil, nil, errShort
	}
	n := int64(binary.LittleEndian.Uint32(data))
	if n > int64(len(data)-4) {
		return nil, nil, errShort
	}
	return data[4 : 4+n], data[4+n:], nil
}

// page decodes a data page of n rows, of which left are allowed.
func (c *chunk[T]) page(enc parquet.Encoding, n, left int, levels, data []byte, plain plainDecoder[T]) (err error) {
	if n < 0 || n > left {
		return fmt.Errorf("a page of %d values where %d are left", n, left)
	}
	present, before := n, len(c.levels)
	if levels != nil {
		if c.levels, err = decodeHybrid(c.levels, levels, 1, n); err != nil {
			return err
		}
		present = 0
		for _, l := range c.levels[before:] {
			present += int(l)
		}
	}
	switch enc {
	case parquet.Encodings.Plain:
		c.values, err = plain(c.values, data, present)
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		err = c.indexed(data, present)
	default:
		err = fmt.Errorf("encoding %v is not supported, only PLAIN and RLE_DICTIONARY", enc)
	}
	return err
}

// indexed decodes n values given as indices into the dictionary.
func (c *chunk[T]) indexed(data []byte, n int) (err error) {
	if n == 0 {
		return nil
	}
	if len(data) == 0 {
		return errShort
	}
	if c.index, err = decodeHybrid(c.index[:0], data[1:], int(data[0]), n); err != nil {
		return err
	}
	for _, i := range c.index {
		if int(i) >= len(c.dict) {
			return fmt.Errorf("index %d into a dictionary of %d", i, len(c.dict))
		}
		c.values = append(c.values, c.dict[i])
	}
	return nil
}

// each calls f for every row in order; v is nil for a null.
func (c *chunk[T]) each(rows int, f func(i int, v *T)) {
	if len(c.levels) == 0 {
		for i := range c.values {
			f(i, &c.values[i])
		}
		return
	}
	j := 0
	for i := range rows {
		if c.levels[i] == 0 {
			f(i, nil)
			continue
		}
		f(i, &c.values[j])
		j++
	}
}

// decodeHybrid appends n values of width bits in Parquet's RLE and bit-packed
// hybrid encoding to dst.
func decodeHybrid(dst []uint32, data []byte, width, n int) ([]uint32, error) {
	if width > 32 {
		return dst, fmt.Errorf("%d bits for an index", width)
	}
	end := len(dst) + n
	for len(dst) < end {
		header, used := binary.Uvarint(data)
		if used <= 0 || header > 1<<32 || header < 2 {
			return dst, errShort
		}
		data = data[used:]
		left := end - len(dst)
		if header&1 == 0 { // one value, repeated
			size := (width + 7) / 8
			if len(data) < size {
				return dst, errShort
			}
			var v uint32
			for i := range size {
				v |= uint32(data[i]) << (8 * i)
			}
			if width < 32 && v >= 1<<width {
				return dst, fmt.Errorf("value %d in %d bits", v, width)
			}
			data = data[size:]
			for range min(int(header>>1), left) {
				dst = append(dst, v)
			}
			continue
		}
		count := min(int(header>>1)*8, left)
		size := int(header>>1) * width
		if need := (count*width + 7) / 8; len(data) < need {
			return dst, errShort
		}
		dst = unpack(dst, data, width, count)
		data = data[min(size, len(data)):]
	}
	return dst, nil
}

// unpack appends n values of width bits, packed from the lowest bit, to dst.
func unpack(dst []uint32, data []byte, width, n int) []uint32 {
	if width == 0 {
		return append(dst, make([]uint32, n)...)
	}
	mask := uint64(1)<<width - 1
	var bits uint64
	have, at := 0, 0
	for range n {
		for have < width {
			bits |= uint64(data[at]) << have
			at++
			have += 8
		}
		dst = append(dst, uint32(bits&mask))
		bits >>= width
		have -= width
	}
	return dst
}
