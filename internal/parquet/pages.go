// Package parquet decodes the pages of Parquet's column chunks. Sizes and counts in a page are checked before use,
// unlike by the readers of the Parquet library: on a damaged file those allocate gigabytes, or never end.
package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// ErrShort is the error about a page that ends before its last value.
var ErrShort = errors.New("a page is shorter than its number of values")

// Types of pages, as in Parquet's definition.
const (
	pageData       = 0
	pageDictionary = 2
	pageDataV2     = 3
)

// Encodings of values and levels, likewise.
const (
	encPlain     = 0
	encPlainDict = 2
	encRLE       = 3
	encRLEDict   = 8
)

// Chunk is where a column chunk lies and how it is compressed.
type Chunk struct {
	Offset, Size int64
	Unpacked     int64 // size of all pages unpacked, as the footer has it
	Codec        compress.Compression
}

// page is one page, its data unpacked. The data is valid until the next page.
type page struct {
	kind     int32
	values   int // rows, with nulls
	encoding int32
	levelEnc int32  // of a data page of version 1
	levels   []byte // of a data page of version 2
	data     []byte
}

// Pages reads the pages of a column chunk; it keeps its memory between chunks.
type Pages struct {
	raw  []byte // the chunk
	rest []byte // of it, what is not read yet
	spec Chunk
	buf  []byte // the page unpacked
}

// Open reads a chunk, of a file of fileSize bytes, into memory.
func (r *Pages) Open(src io.ReaderAt, fileSize int64, spec Chunk) error {
	const magic = 4
	if spec.Offset < magic || spec.Size < 0 || spec.Offset > fileSize || spec.Size > fileSize-spec.Offset {
		return fmt.Errorf("%d bytes at offset %d of a file of %d", spec.Size, spec.Offset, fileSize)
	}
	r.spec = spec
	r.raw = slices.Grow(r.raw[:0], int(spec.Size))[:spec.Size]
	if _, err := src.ReadAt(r.raw, spec.Offset); err != nil {
		return err
	}
	r.rest = r.raw
	return nil
}

// next returns the next data or dictionary page; io.EOF after the last.
func (r *Pages) next() (page, error) {
	for len(r.rest) > 0 {
		var h pageHeader
		t := thrift{data: r.rest}
		if h.read(&t); t.err != nil {
			return page{}, fmt.Errorf("page header: %w", t.err)
		}
		r.rest = t.data
		if h.size < 0 || int(h.size) > len(r.rest) {
			return page{}, fmt.Errorf("a page of %d bytes where %d are left", h.size, len(r.rest))
		}
		packed := r.rest[:h.size]
		r.rest = r.rest[h.size:]
		if h.hasCRC && crc32.ChecksumIEEE(packed) != uint32(h.crc) {
			return page{}, errors.New("the checksum of a page does not agree")
		}
		if h.kind == pageData || h.kind == pageDictionary || h.kind == pageDataV2 {
			return r.unpack(&h, packed)
		}
	}
	return page{}, io.EOF
}

// minUnpacked is an unpacked size that is allowed whatever the footer has.
const minUnpacked = 1 << 20

func (r *Pages) unpack(h *pageHeader, packed []byte) (page, error) {
	if h.unpacked < 0 || int64(h.unpacked) > max(r.spec.Unpacked, minUnpacked) {
		return page{}, fmt.Errorf("a page of %d bytes in a column of %d", h.unpacked, r.spec.Unpacked)
	}
	if h.values < 0 {
		return page{}, fmt.Errorf("a page of %d values", h.values)
	}
	p := page{kind: h.kind, values: int(h.values), encoding: h.encoding, levelEnc: h.levelEnc}
	size := int(h.unpacked)
	if h.kind == pageDataV2 { // the levels come first and are never compressed
		rep, def := int(h.repBytes), int(h.defBytes)
		if rep < 0 || def < 0 || rep > len(packed) || def > len(packed)-rep || rep+def > size {
			return page{}, fmt.Errorf("%d and %d bytes of levels in a page of %d", rep, def, len(packed))
		}
		p.levels = packed[rep : rep+def]
		packed, size = packed[rep+def:], size-rep-def
		if h.unpackedV2 {
			p.data = packed
		}
	}
	if p.data == nil {
		var err error
		if p.data, err = r.decompress(packed, size); err != nil {
			return page{}, err
		}
	}
	if len(p.data) != size {
		return page{}, fmt.Errorf("a page of %d bytes, its header says %d", len(p.data), size)
	}
	return p, nil
}

// zstdDecoder is used by all; its DecodeAll may be called concurrently. It decodes
// into the memory it is given: a frame may claim gigabytes.
var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
})

func (r *Pages) decompress(packed []byte, size int) ([]byte, error) {
	switch r.spec.Codec {
	case compress.Codecs.Uncompressed:
		return packed, nil
	case compress.Codecs.Zstd:
		d, err := zstdDecoder()
		if err != nil {
			return nil, err
		}
		r.buf, err = d.DecodeAll(packed, slices.Grow(r.buf[:0], size))
		return r.buf, err
	case compress.Codecs.Gzip: // the library's does not look at the checksum
		return r.gunzip(packed, size)
	case compress.Codecs.Snappy: // the library's makes room for what the page claims
		if n, k := binary.Uvarint(packed); k <= 0 || n != uint64(size) {
			return nil, fmt.Errorf("a snappy page says that it has %d bytes, its header %d", n, size)
		}
	}
	codec, err := compress.GetCodec(r.spec.Codec)
	if err != nil {
		return nil, err
	}
	r.buf = slices.Grow(r.buf[:0], size)[:size]
	return codec.Decode(r.buf, packed), nil
}

// gunzip decompresses a page to its end, where the checksum is.
func (r *Pages) gunzip(packed []byte, size int) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	r.buf = slices.Grow(r.buf[:0], size)[:size]
	if _, err := io.ReadFull(z, r.buf); err != nil {
		return nil, err
	}
	if n, err := z.Read(make([]byte, 1)); n > 0 || err != io.EOF {
		return nil, fmt.Errorf("after %d bytes of a gzip page: %d more, %w", size, n, err)
	}
	return r.buf, nil
}
