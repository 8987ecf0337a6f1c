package parquet

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// written returns a file of the Parquet library with a column of numbers and one of
// texts, of rows rows in each of two row groups.
func written(t *testing.T, rows int, wrap bool, props ...parquet.WriterProperty) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.Writer = &out
	if wrap {
		w = &Checksums{W: &out}
	}
	root := schema.MustGroup(schema.NewGroupNode("test", parquet.Repetitions.Required, schema.FieldList{
		schema.NewInt32Node("n", parquet.Repetitions.Optional, -1),
		schema.NewByteArrayNode("s", parquet.Repetitions.Required, -1),
	}, -1))
	pw := file.NewParquetWriter(w, root, file.WithWriterProps(parquet.NewWriterProperties(props...)))
	numbers, levels, texts := make([]int32, rows), make([]int16, rows), make([]parquet.ByteArray, rows)
	for i := range rows {
		numbers[i], levels[i], texts[i] = int32(i*i), 1, parquet.ByteArray(fmt.Sprint("text ", i%7))
	}
	for range 2 {
		group := pw.AppendRowGroup()
		for range 2 {
			col, err := group.NextColumn()
			if err != nil {
				t.Fatal(err)
			}
			switch col := col.(type) {
			case *file.Int32ColumnChunkWriter:
				_, err = col.WriteBatch(numbers, levels, nil)
			case *file.ByteArrayColumnChunkWriter:
				_, err = col.WriteBatch(texts, nil, nil)
			}
			if err == nil {
				err = col.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := group.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := pw.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// headers returns the headers of all pages of a file, of which the footer gives the
// places, and their data.
func headers(t *testing.T, data []byte) (all []pageHeader, packed [][]byte) {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for g := range r.NumRowGroups() {
		for c := range 2 {
			chunk, err := r.MetaData().RowGroup(g).ColumnChunk(c)
			if err != nil {
				t.Fatal(err)
			}
			at := chunk.DataPageOffset()
			if chunk.HasDictionaryPage() {
				at = chunk.DictionaryPageOffset()
			}
			rest := data[at : at+chunk.TotalCompressedSize()]
			values := 0
			for len(rest) > 0 {
				var h pageHeader
				read := thrift{data: rest}
				if h.read(&read); read.err != nil || int(h.size) > len(read.data) {
					t.Fatalf("row group %d, column %d, %d bytes before its end: %+v, %v", g, c, len(rest), h, read.err)
				}
				rest = read.data[h.size:]
				if h.kind != pageDictionary {
					values += int(h.values)
				}
				all, packed = append(all, h), append(packed, read.data[:h.size])
			}
			if values != int(r.MetaData().RowGroup(g).NumRows()) {
				t.Errorf("row group %d, column %d: %d values", g, c, values)
			}
		}
	}
	return all, packed
}

// Every page has its checksum, the footer's places and sizes are right, and but for
// the checksums the pages are those that the library writes.
func TestChecksumsOfPages(t *testing.T) {
	for name, props := range map[string][]parquet.WriterProperty{
		"version 1": {parquet.WithDataPageVersion(parquet.DataPageV1), parquet.WithCompression(compress.Codecs.Zstd),
			parquet.WithStats(false)},
		"version 2, many pages": {parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithDataPageSize(64),
			parquet.WithBatchSize(16), parquet.WithCompression(compress.Codecs.Snappy)},
		"no dictionaries": {parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(64),
			parquet.WithBatchSize(16)},
	} {
		t.Run(name, func(t *testing.T) {
			plain, with := written(t, 300, false, props...), written(t, 300, true, props...)
			before, pages := headers(t, plain)
			after, samePages := headers(t, with)
			if len(after) != len(before) || len(before) < 4 {
				t.Fatalf("%d pages, %d without checksums", len(after), len(before))
			}
			for i, h := range after {
				if !h.hasCRC || uint32(h.crc) != crc32.ChecksumIEEE(samePages[i]) {
					t.Errorf("page %d: %+v", i, h)
				}
				h.hasCRC, h.crc = false, 0
				if h != before[i] || !bytes.Equal(pages[i], samePages[i]) {
					t.Errorf("page %d is another: %+v, without checksums %+v", i, h, before[i])
				}
			}
		})
	}
}

// A page whose data does not agree with its checksum is refused; one without a
// checksum is read.
func TestPageChecksumsAreChecked(t *testing.T) {
	plain := parquet.WithDictionaryDefault(false)
	for _, wrap := range []bool{false, true} {
		data := written(t, 50, wrap, plain)
		r, err := file.NewParquetReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		chunk, err := r.MetaData().RowGroup(0).ColumnChunk(0)
		if err != nil {
			t.Fatal(err)
		}
		spec := Chunk{Offset: chunk.DataPageOffset(), Size: chunk.TotalCompressedSize(),
			Unpacked: chunk.TotalUncompressedSize()}
		read := func() ([]int32, error) {
			var pages Pages
			if err := pages.Open(bytes.NewReader(data), int64(len(data)), spec); err != nil {
				t.Fatal(err)
			}
			var c Column[int32]
			err := c.Read(&pages, 50, true, Int32)
			return c.Values, err
		}
		want, err := read()
		if err != nil || len(want) != 50 || want[7] != 49 {
			t.Fatalf("checksums %v: %v, %v", wrap, want, err)
		}
		want = slices.Clone(want)
		data[spec.Offset+spec.Size-1] ^= 1 // of the last value
		got, err := read()
		if wrap == (err == nil) || !wrap && slices.Equal(got, want) {
			t.Errorf("checksums %v, a byte flipped: %v", wrap, err)
		}
	}
}

// What the library would never write is an error, not a damaged file.
func TestChecksumsWantWholePages(t *testing.T) {
	header := []byte{0x15, 0x00, 0x15, 0x08, 0x15, 0x08, 0x2C, 0x15, 0x02, 0x15, 0x00, 0x00, 0x00} // 4 bytes
	var out bytes.Buffer
	c := Checksums{W: &out}
	if n, err := c.Write(header); n != len(header) || err != nil || out.Len() != 0 {
		t.Fatalf("%d, %v, %d bytes out", n, err, out.Len())
	}
	if _, err := c.Write([]byte("abc")); err == nil {
		t.Error("a page of three bytes instead of four")
	}
	if n, err := c.Write([]byte("abcd")); err != nil || len(header)+n != out.Len() {
		t.Errorf("%d, %v, %d bytes out", n, err, out.Len())
	}
	for n := range header {
		if (&Checksums{W: io.Discard}).hold(header[:n]) {
			t.Errorf("%d bytes of a header taken for one", n)
		}
	}
}
