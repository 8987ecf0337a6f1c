package parquet

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// hybrid encodes values in runs and bit-packed groups, by chance.
func hybrid(rng *rand.Rand, values []uint32, width int) []byte {
	var out []byte
	for len(values) > 0 {
		run := 1
		for run < len(values) && values[run] == values[0] {
			run++
		}
		if run > 2 || rng.IntN(3) == 0 {
			out = binary.AppendUvarint(out, uint64(run)<<1)
			for i := range (width + 7) / 8 {
				out = append(out, byte(values[0]>>(8*i)))
			}
			values = values[run:]
			continue
		}
		groups := 1 + rng.IntN(3)
		out = binary.AppendUvarint(out, uint64(groups)<<1|1)
		packed := make([]byte, groups*width)
		for i := range min(8*groups, len(values)) {
			for b := range width {
				if values[i]>>b&1 != 0 {
					at := i*width + b
					packed[at/8] |= 1 << (at % 8)
				}
			}
		}
		out = append(out, packed...)
		values = values[min(8*groups, len(values)):]
	}
	return out
}

func TestDecodeHybrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		width := rng.IntN(33)
		values := make([]uint32, rng.IntN(70))
		for i := range values {
			values[i] = uint32(rng.Uint64() & (1<<width - 1))
			if i > 0 && rng.IntN(2) == 0 {
				values[i] = values[i-1]
			}
		}
		data := hybrid(rng, values, width)
		got, err := decodeHybrid([]uint32{7}, data, width, len(values))
		if err != nil || !slices.Equal(got[1:], values) || got[0] != 7 {
			t.Fatalf("width %d: %v, %v; want %v", width, got, err, values)
		}
	}
	for _, data := range [][]byte{{}, {0}, {1}, {2}, {3}, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}, {2, 4}} {
		if got, err := decodeHybrid(nil, data, 2, 1); err == nil {
			t.Errorf("decoded % x as %v", data, got)
		}
	}
}

func TestThriftSkips(t *testing.T) {
	// A page header with fields of all types around those that count.
	header := []byte{
		0x15, 0x00, // 1: type 0
		0x15, 0x14, // 2: unpacked size 10
		0x15, 0x0C, // 3: size 6
		0x21,       // 5: true; wrong type for a data page header, to be skipped
		0x08, 0x18, // long form of field 12, binary
		0x03, 'a', 'b', 'c',
		0x19, 0x25, 0x02, 0x04, // 13: list of two numbers
		0x1A, 0xF1, 0x10, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, // 14: set of 16 booleans
		0x1B, 0x01, 0x58, 0x06, 0x01, 'x', // 15: map of a number to a string
		0x17, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, // 16: double
		0x13, 0x7F, // 17: byte
		0x16, 0x80, 0x01, // 18: 64-bit number
		0x1C, 0x1C, 0x00, 0x00, // 19: structure in a structure
	}
	header = append(header, 0x0C, 0x0A, // long form of field 5: data page header
		0x15, 0x08, 0x15, 0x10, 0x15, 0x06, 0x00, // values 4, encoding 8, levels 3
		0x00, 0xEE) // end; the page itself
	var h pageHeader
	r := thrift{data: header}
	h.read(&r)
	if r.err != nil || len(r.data) != 1 || r.data[0] != 0xEE {
		t.Fatalf("left % x, %v", r.data, r.err)
	}
	if want := (pageHeader{unpacked: 10, size: 6, values: 4, encoding: 8, levelEnc: 3}); h != want {
		t.Errorf("%+v, want %+v", h, want)
	}
	for n := range len(header) - 1 {
		r := thrift{data: header[:n]}
		if h.read(&r); r.err == nil {
			t.Errorf("no error when cut off at %d", n)
		}
	}
	deep := slices.Repeat([]byte{0x1C}, 1<<16)
	r = thrift{data: deep}
	if h.read(&r); r.err == nil {
		t.Error("no error from endless structures")
	}
	r = thrift{data: []byte{0x19, 0xF3, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F}}
	if h.read(&r); r.err == nil {
		t.Error("no error from an endless list")
	}
}

// A gzip page whose checksum does not agree is refused.
func TestGzipPagesAreChecked(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte("some values")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r := Pages{spec: Chunk{Codec: compress.Codecs.Gzip}}
	data := packed.Bytes()
	if got, err := r.decompress(data, len("some values")); err != nil || string(got) != "some values" {
		t.Fatalf("%q, %v", got, err)
	}
	if _, err := r.decompress(data, 5); err == nil {
		t.Error("more than the page is to hold")
	}
	data[len(data)-6] ^= 1 // of the checksum
	if got, err := r.decompress(data, len("some values")); err == nil {
		t.Errorf("%q in spite of its checksum", got)
	}
}

// A page whose content claims gigabytes, or has more than the page's header says, is
// refused before memory is made for it.
func TestClaimedSizesTakeNoMemory(t *testing.T) {
	const claim = 2 << 30
	long, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		codec compress.Compression
		data  []byte
	}{
		// A frame with a window of 1 KiB, its size in 4 bytes, and an empty last block.
		{"zstd claim", compress.Codecs.Zstd, append(binary.LittleEndian.AppendUint32(
			[]byte{0x28, 0xB5, 0x2F, 0xFD, 0x80, 0}, claim), 1, 0, 0)},
		{"zstd", compress.Codecs.Zstd, long.EncodeAll(make([]byte, 64<<20), nil)},
		{"snappy claim", compress.Codecs.Snappy, append(binary.AppendUvarint(nil, claim), 0, 1)},
		{"snappy, nothing", compress.Codecs.Snappy, nil},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := Pages{spec: Chunk{Codec: c.codec, Unpacked: 1000}}
		p, err := r.unpack(&pageHeader{kind: pageData, unpacked: 1000, values: 1}, c.data)
		if err == nil {
			t.Errorf("%s: a page of %d bytes", c.name, len(p.data))
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
			t.Errorf("%s: %d bytes allocated", c.name, n)
		}
	}
}
