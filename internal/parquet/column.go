package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Column is a column of a row group. It keeps its memory between chunks.
type Column[T any] struct {
	Values []T // those that are not null

	levels []uint32 // 1 where the row has a value; empty if all have
	dict   []T
	index  []uint32
}

// Decoder appends n values in Parquet's PLAIN encoding to dst.
type Decoder[T any] func(dst []T, data []byte, n int) ([]T, error)

// Read fills c with rows rows from pages; nullable reports whether they have levels. Dictionaries and values are
// decoded by plain.
func (c *Column[T]) Read(pages *Pages, rows int, nullable bool, plain Decoder[T]) error {
	c.Values, c.levels, c.dict = c.Values[:0], c.levels[:0], c.dict[:0]
	seen, haveDict := 0, false
	for {
		p, err := pages.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch {
		case p.kind != pageDictionary:
			if p.values > rows-seen {
				return fmt.Errorf("a page of %d values where %d are left", p.values, rows-seen)
			}
			seen += p.values
			err = c.page(&p, nullable, plain)
		case haveDict:
			err = errors.New("two dictionaries")
		default:
			haveDict = true
			c.dict, err = plain(c.dict, p.data, p.values)
		}
		if err != nil {
			return err
		}
	}
	if seen != rows {
		return fmt.Errorf("%d values, the row group has %d rows", seen, rows)
	}
	return nil
}

// page decodes a data page.
func (c *Column[T]) page(p *page, nullable bool, plain Decoder[T]) (err error) {
	if p.kind == pageData && nullable {
		if p.levelEnc != encRLE {
			return fmt.Errorf("levels in encoding %d are not supported, only RLE (%d)", p.levelEnc, encRLE)
		}
		if p.levels, p.data, err = cutLevels(p.data); err != nil {
			return err
		}
	}
	present := p.values
	if nullable {
		before := len(c.levels)
		if c.levels, err = decodeHybrid(c.levels, p.levels, 1, p.values); err != nil {
			return err
		}
		present = 0
		for _, l := range c.levels[before:] {
			present += int(l)
		}
	}
	switch p.encoding {
	case encPlain:
		c.Values, err = plain(c.Values, p.data, present)
	case encPlainDict, encRLEDict:
		err = c.indexed(p.data, present)
	default:
		err = fmt.Errorf("values in encoding %d are not supported, only PLAIN (%d) and RLE_DICTIONARY (%d)",
			p.encoding, encPlain, encRLEDict)
	}
	return err
}

// cutLevels splits the length-prefixed levels off a page.
func cutLevels(data []byte) (levels, rest []byte, err error) {
	if len(data) < 4 {
		return nil, nil, ErrShort
	}
	n := int64(binary.LittleEndian.Uint32(data))
	if n > int64(len(data)-4) {
		return nil, nil, ErrShort
	}
	return data[4 : 4+n], data[4+n:], nil
}

// indexed decodes n values given as indices into the dictionary.
func (c *Column[T]) indexed(data []byte, n int) (err error) {
	if n == 0 {
		return nil
	}
	if len(data) == 0 {
		return ErrShort
	}
	if c.index, err = decodeHybrid(c.index[:0], data[1:], int(data[0]), n); err != nil {
		return err
	}
	for _, i := range c.index {
		if int(i) >= len(c.dict) {
			return fmt.Errorf("index %d into a dictionary of %d", i, len(c.dict))
		}
		c.Values = append(c.Values, c.dict[i])
	}
	return nil
}

// Each calls f for every row in order; v is nil for a null.
func (c *Column[T]) Each(f func(i int, v *T)) {
	if len(c.levels) == 0 {
		for i := range c.Values {
			f(i, &c.Values[i])
		}
		return
	}
	j := 0
	for i, level := range c.levels {
		if level == 0 {
			f(i, nil)
			continue
		}
		f(i, &c.Values[j])
		j++
	}
}

// decodeHybrid appends n values of width bits in Parquet's RLE and bit-packed hybrid encoding to dst.
func decodeHybrid(dst []uint32, data []byte, width, n int) ([]uint32, error) {
	if width > 32 {
		return dst, fmt.Errorf("%d bits for an index", width)
	}
	end := len(dst) + n
	for len(dst) < end {
		header, used := binary.Uvarint(data)
		if used <= 0 || header > 1<<32 || header < 2 {
			return dst, ErrShort
		}
		data = data[used:]
		left := end - len(dst)
		if header&1 == 0 { // one value, repeated
			size := (width + 7) / 8
			if len(data) < size {
				return dst, ErrShort
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
			return dst, ErrShort
		}
		dst = unpackBits(dst, data, width, count)
		data = data[min(size, len(data)):]
	}
	return dst, nil
}

// unpackBits appends n values of width bits, packed from the lowest bit, to dst.
func unpackBits(dst []uint32, data []byte, width, n int) []uint32 {
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
