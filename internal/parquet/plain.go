package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Decoders of Parquet's PLAIN encoding: fixed-size numbers little-endian, one after the other; byte arrays each
// with its length (uint32) before it. Each appends n values to dst.

// Float decodes FLOAT.
func Float(dst []float32, data []byte, n int) ([]float32, error) {
	if n < 0 || len(data)/4 < n {
		return dst, ErrShort
	}
	for i := range n {
		dst = append(dst, math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
	}
	return dst, nil
}

// Double decodes DOUBLE, rounded to float32.
func Double(dst []float32, data []byte, n int) ([]float32, error) {
	if n < 0 || len(data)/8 < n {
		return dst, ErrShort
	}
	for i := range n {
		dst = append(dst, float32(math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))))
	}
	return dst, nil
}

// Int32 decodes INT32.
func Int32(dst []int32, data []byte, n int) ([]int32, error) {
	if n < 0 || len(data)/4 < n {
		return dst, ErrShort
	}
	for i := range n {
		dst = append(dst, int32(binary.LittleEndian.Uint32(data[4*i:])))
	}
	return dst, nil
}

// Int64 decodes INT64; a number that does not fit into 32 bits is an error.
func Int64(dst []int32, data []byte, n int) ([]int32, error) {
	if n < 0 || len(data)/8 < n {
		return dst, ErrShort
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

// Fixed calls add for each of n values of FIXED_LEN_BYTE_ARRAY(size). A value is valid until add returns.
func Fixed(data []byte, n, size int, add func(v []byte)) error {
	if n < 0 || len(data)/size < n {
		return ErrShort
	}
	for i := range n {
		add(data[size*i : size*(i+1)])
	}
	return nil
}

// Bytes calls add for each of n values of BYTE_ARRAY, and stops with its error. A
// value is valid until add returns.
func Bytes(data []byte, n int, add func(v []byte) error) error {
	if n < 0 {
		return ErrShort
	}
	for range n {
		if len(data) < 4 {
			return ErrShort
		}
		size := int64(binary.LittleEndian.Uint32(data))
		if size > int64(len(data)-4) {
			return ErrShort
		}
		if err := add(data[4 : 4+size]); err != nil {
			return err
		}
		data = data[4+size:]
	}
	return nil
}
