package parquet

import (
	"encoding/binary"
	"errors"
)

// pageHeader is what is needed of Parquet's PageHeader and the headers inside
// it, which share the fields of their values.
type pageHeader struct {
	kind           int32
	unpacked, size int32
	hasCRC         bool
	crc            int32

	values, encoding   int32
	levelEnc           int32 // of data pages of version 1
	defBytes, repBytes int32 // of data pages of version 2
	unpackedV2         bool  // a data page of version 2 is not compressed
}

func (h *pageHeader) read(t *thrift) {
	t.structure(func(id int16, kind byte) {
		switch {
		case id == 1 && kind == thriftI32:
			h.kind = t.i32()
		case id == 2 && kind == thriftI32:
			h.unpacked = t.i32()
		case id == 3 && kind == thriftI32:
			h.size = t.i32()
		case id == 4 && kind == thriftI32:
			h.crc, h.hasCRC = t.i32(), true
		case id == 5 && kind == thriftStruct:
			h.readFields(t, &h.values, &h.encoding, &h.levelEnc)
		case id == 7 && kind == thriftStruct:
			h.readFields(t, &h.values, &h.encoding)
		case id == 8 && kind == thriftStruct:
			h.readFields(t, &h.values, nil, nil, &h.encoding, &h.defBytes, &h.repBytes)
		default:
			t.skip(kind, 0)
		}
	})
}

// readFields reads a structure whose fields 1, 2, … are numbers, into dst. The
// one boolean that matters is that a page is not compressed.
func (h *pageHeader) readFields(t *thrift, dst ...*int32) {
	t.structure(func(id int16, kind byte) {
		switch {
		case kind == thriftI32 && id >= 1 && int(id) <= len(dst) && dst[id-1] != nil:
			*dst[id-1] = t.i32()
		case kind == thriftFalse && id == 7:
			h.unpackedV2 = true
		default:
			t.skip(kind, 0)
		}
	})
}

// thrift reads Thrift's compact protocol. After an error it reads zeros.
type thrift struct {
	data []byte // what is not read yet
	err  error
}

// Types of fields in the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftI8     = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

var errThrift = errors.New("not in Thrift's compact protocol")

func (t *thrift) fail() { t.data, t.err = nil, errThrift }

func (t *thrift) byte() byte {
	if len(t.data) == 0 {
		t.fail()
		return 0
	}
	b := t.data[0]
	t.data = t.data[1:]
	return b
}

func (t *thrift) varint() uint64 {
	v, n := binary.Uvarint(t.data)
	if n <= 0 {
		t.fail()
		return 0
	}
	t.data = t.data[n:]
	return v
}

func (t *thrift) i32() int32 {
	v := t.varint()
	return int32(v>>1) ^ -int32(v&1)
}

func (t *thrift) bytes(n uint64) {
	if n > uint64(len(t.data)) {
		t.fail()
		return
	}
	t.data = t.data[n:]
}

// structure calls field for every field of a structure; field reads or skips it.
func (t *thrift) structure(field func(id int16, kind byte)) {
	var id int16
	for t.err == nil {
		b := t.byte()
		if b == 0 {
			return
		}
		if delta := b >> 4; delta != 0 {
			id += int16(delta)
		} else {
			id = int16(t.i32())
		}
		field(id, b&15)
	}
}

// skip reads past a value, of which depth others are around.
func (t *thrift) skip(kind byte, depth int) {
	const maxDepth = 8
	if depth > maxDepth {
		t.fail()
	}
	if t.err != nil {
		return
	}
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftI8:
		t.bytes(1)
	case thriftI16, thriftI32, thriftI64:
		t.varint()
	case thriftDouble:
		t.bytes(8)
	case thriftBinary:
		t.bytes(t.varint())
	case thriftList, thriftSet:
		head := t.byte()
		n := uint64(head >> 4)
		if n == 15 {
			n = t.varint()
		}
		t.skipList(n, depth, head&15)
	case thriftMap:
		if n := t.varint(); n > 0 {
			kinds := t.byte()
			t.skipList(n, depth, kinds>>4, kinds&15)
		}
	case thriftStruct:
		t.structure(func(_ int16, kind byte) { t.skip(kind, depth+1) })
	default:
		t.fail()
	}
}

// skipList reads past n elements, each of the kinds given.
func (t *thrift) skipList(n uint64, depth int, kinds ...byte) {
	for ; n > 0 && t.err == nil; n-- {
		for _, k := range kinds {
			if k == thriftTrue || k == thriftFalse { // in a list a boolean is a byte
				k = thriftI8
			}
			t.skip(k, depth+1)
		}
	}
}
