package bm

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"bgtrain/internal/bg"

	"github.com/klauspost/compress/zstd"
)

// decompress returns the text of a plain, gzip, bzip2 or zstd stream, told
// apart by its first bytes, and a function that frees what it holds.
func decompress(r io.Reader) (io.Reader, func(), error) {
	nothing := func() {}
	br := bufio.NewReaderSize(r, 256<<10)
	head, err := br.Peek(4)
	if err != nil && err != io.EOF {
		return nil, nothing, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(br)
		if err != nil {
			return nil, nothing, fmt.Errorf("gzip: %w", err)
		}
		return z, nothing, nil
	case bytes.HasPrefix(head, []byte("BZh")):
		return bzip2.NewReader(br), nothing, nil
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(br)
		if err != nil {
			return nil, nothing, fmt.Errorf("zstd: %w", err)
		}
		return z, z.Close, nil
	}
	return br, nothing, nil
}

// classOfName finds a class at the beginning of a file's base name.
func classOfName(name string) (bg.Class, bool) {
	base := strings.ToLower(filepath.Base(name))
	for _, c := range []bg.Class{bg.Contact, bg.Crashed, bg.Race, bg.Bearoff} {
		if strings.HasPrefix(base, c.String()) {
			return c, true
		}
	}
	return 0, false
}
