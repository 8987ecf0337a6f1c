package dataset

import (
	"fmt"

	"bgtrain/internal/bg"
	"bgtrain/internal/parquet"
)

// fixedKey decodes positions of FIXED_LEN_BYTE_ARRAY(10).
func fixedKey(dst []bg.Key, data []byte, n int) ([]bg.Key, error) {
	err := parquet.Fixed(data, n, keyBytes, func(v []byte) { dst = append(dst, bg.Key(v)) })
	return dst, err
}

// bytesKey decodes positions of BYTE_ARRAY.
func bytesKey(dst []bg.Key, data []byte, n int) ([]bg.Key, error) {
	err := parquet.Bytes(data, n, func(v []byte) error {
		if len(v) != keyBytes {
			return fmt.Errorf("a position of %d bytes, expected %d", len(v), keyBytes)
		}
		dst = append(dst, bg.Key(v))
		return nil
	})
	return dst, err
}

// maxText is the length of the longest string that is read: provenance takes some hundred bytes.
const maxText = 64 << 10

// maxTexts is the size of all different strings of a column in a row group.
const maxTexts = 64 << 20

// textValues decodes strings to their indices in s.
func textValues(s *Strings) parquet.Decoder[int32] {
	size := 0
	return func(dst []int32, data []byte, n int) ([]int32, error) {
		err := parquet.Bytes(data, n, func(v []byte) error {
			i, ok := s.index[string(v)]
			if !ok {
				if size += len(v); len(v) > maxText || size > maxTexts {
					return fmt.Errorf("a string of %d bytes, at most %d expected, and %d in all", len(v), maxText,
						maxTexts)
				}
				i = s.intern(string(v))
			}
			dst = append(dst, i)
			return nil
		})
		return dst, err
	}
}
