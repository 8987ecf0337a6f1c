package parquet

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// Checksums is a writer between the Parquet library and a file. It adds to the header of every page the CRC-32 of
// the page as it is stored (field crc of PageHeader in parquet.thrift), which the library leaves out. Pages of
// both versions are written by the library as one header and then one block of data, and so the checksum covers
// what the format asks for: all that follows the header, compressed.
//
// The header grows by the field's few bytes. The library counts its offsets and
// sizes by what Write returns, and so Write returns the bytes that went to the file,
// which are more than it was given. Such a writer is only good for the library.
type Checksums struct {
	W io.Writer

	header []byte // of a page whose data comes next, held back
	size   int    // of that data
	field  int    // where the checksum goes in it: after compressed_page_size
	next   int16  // id of the field after it
}

// Write takes a header, the data of a page, or anything else that the library writes, each whole, and returns how
// many bytes the file has grown by; for a header that is held back, its length, as if it were written.
func (c *Checksums) Write(p []byte) (int, error) {
	if c.header == nil {
		if !c.hold(p) {
			return c.W.Write(p)
		}
		return len(p), nil
	}
	if len(p) != c.size {
		return 0, fmt.Errorf("a page of %d bytes after a header that says %d", len(p), c.size)
	}
	header := c.withCRC(crc32.ChecksumIEEE(p))
	grown := len(header) - len(c.header)
	c.header = nil
	if _, err := c.W.Write(header); err != nil {
		return 0, err
	}
	n, err := c.W.Write(p)
	return n + grown, err
}

// hold keeps p if it is the header of a page without a checksum. What else the library writes does not look like
// one: the structures of a footer have other types in their first fields.
func (c *Checksums) hold(p []byte) bool {
	const first, size = 1, 3 // the fields type and compressed_page_size
	const dataPage, dictionaryPage, dataPageV2 = 5, 7, 8
	t := thrift{data: p}
	last, field := int16(0), 0
	var next int16
	var bytes int32
	page := true
	t.structure(func(id int16, kind byte) {
		switch {
		case id >= first && id <= size && kind == thriftI32 && id == last+1:
			if bytes = t.i32(); id == size {
				field = len(p) - len(t.data)
			}
		case last == size && kind == thriftStruct && (id == dataPage || id == dictionaryPage || id == dataPageV2):
			next = id
			t.skip(kind, 0)
		default:
			page = false
			t.skip(kind, 0)
		}
		last = id
	})
	if t.err != nil || !page || len(t.data) > 0 || next == 0 || bytes < 0 {
		return false
	}
	c.header, c.size, c.field, c.next = append(c.header[:0:0], p...), int(bytes), field, next
	return true
}

// withCRC returns the header with a checksum.
func (c *Checksums) withCRC(crc uint32) []byte {
	const id = 4
	out := append(make([]byte, 0, len(c.header)+1+binary.MaxVarintLen32), c.header[:c.field]...)
	out = append(out, 1<<4|thriftI32) // one after the field before it
	v := int32(crc)
	out = binary.AppendUvarint(out, uint64(uint32(v<<1)^uint32(v>>31)))
	out = append(out, byte(c.next-id)<<4|thriftStruct) // a field's id is told by its distance
	return append(out, c.header[c.field+1:]...)
}
