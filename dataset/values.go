package dataset

import (
	"encoding/binary"
	"fmt"
	"math"

	"bgtrain/internal/bg"
)

// Decoders of Parquet's PLAIN encoding: fixed-size numbers little-endian, one
// after the other; byte arrays each with its length (uint32) before it. Each
// appends n values to dst.

func plainFloat(dst []float32, data []byte, n int) ([]float32, error) {
	if n < 0 || len(data)/4 < n {
		return dst, errShort
	}
	for i := range n {
		dst = append(dst, math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
	}
	return dst, nil
}

func plainDouble(dst []float32, data []byte, n int) ([]float32, error) {
	if n < 0 || len(data)/8 < n {
		return dst, errShort
	}
	for i := range n {
		dst = append(dst, float32(math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))))
	}
	return dst, nil
}

func plainInt32(dst []int32, data []byte, n int) ([]int32, error) {
	if n < 0 || len(data)/4 < n {
		return dst, errShort
	}
	for i := range n {
		dst = append(dst, int32(binary.LittleEndian.Uint32(data[4*i:])))
	}
	return dst, nil
}

func plainInt64(dst []int32, data []byte, n int) ([]int32, error) {
	if n < 0 || len(data)/8 < n {
		return dst, errShort
	}
	for i := range n {
		v := int64(binary.LittleEndian.Uint64(data[8*i:]))
		if v != int64(int32(v)) {
			return dst, fmt.Errorf("%d does not fit into 32 bits", v)
		}
		dst = append(dst, int32(v))
	}
	return dst, nil
}

func plainFixedKey(dst []bg.Key, data []byte, n int) ([]bg.Key, error) {
	if n < 0 || len(data)/keyBytes < n {
		return dst, errShort
	}
	for i := range n {
		dst = append(dst, bg.Key(data[keyBytes*i:]))
	}
	return dst, nil
}

func plainKey(dst []bg.Key, data []byte, n int) ([]bg.Key, error) {
	err := plainBytes(data, n, func(v []byte) error {
		if len(v) != keyBytes {
			return fmt.Errorf("a position of %d bytes, expected %d", len(v), keyBytes)
		}
		dst = append(dst, bg.Key(v))
		return nil
	})
	return dst, err
}

// plainText decodes strings to their indices in s.
func plainText(s *Strings) plainDecoder[int32] {
	return func(dst []int32, data []byte, n int) ([]int32, error) {
		err := plainBytes(data, n, func(v []byte) error {
			i, ok := s.index[string(v)]
			if !ok {
				i = s.intern(string(v))
			}
			dst = append(dst, i)
			return nil
		})
		return dst, err
	}
}

func plainBytes(data []byte, n int, add func(v []byte) error) error {
	if n < 0 {
		return errShort
	}
	for range n {
		if len(data) < 4 {
			return errShort
		}
		size := int64(binary.LittleEndian.Uint32(data))
		if size > int64(len(data)-4) {
			return errShort
		}
		if err := add(data[4 : 4+size]); err != nil {
			return err
		}
		data = data[4+size:]
	}
	return nil
}
