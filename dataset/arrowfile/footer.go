package arrowfile

import (
	"encoding/binary"
	"errors"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// checkFooter looks at the footer of a file before the Arrow library does, which would allocate lists of any
// length that the footer gives. Panics are the caller's: what lies outside the footer is bad.
func checkFooter(src source, size int64) error {
	const end = 4 + len(magic) // the footer's length, and the magic number
	if size < int64(2*end) {
		return errors.New("cut off: too short for an Arrow IPC file")
	}
	var tail [end]byte
	if _, err := src.ReadAt(tail[:], size-int64(end)); err != nil {
		return err
	}
	if string(tail[4:]) != magic {
		return fmt.Errorf("cut off, or no Arrow IPC file: it does not end in %s", magic)
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n < 8 || n > size-int64(2*end) {
		return fmt.Errorf("a footer of %d bytes in a file of %d", n, size)
	}
	footer := make([]byte, n)
	if _, err := src.ReadAt(footer, size-int64(end)-n); err != nil {
		return err
	}
	// Fields of the tables Footer, Schema and Field, as Arrow's File.fbs and Schema.fbs number them.
	const schema, dictionaries, batches = 1, 2, 3
	const fields, schemaMetadata = 1, 2
	c := footerCheck{budget: len(footer)}
	root := flatbuffers.Table{Bytes: footer, Pos: flatbuffers.GetUOffsetT(footer)}
	s, ok := child(&root, schema)
	if !ok {
		return errors.New("no schema in the footer")
	}
	c.list(&root, dictionaries, 24)
	c.list(&root, batches, 24)
	c.list(&s, schemaMetadata, 4)
	return c.fields(&s, fields, 0)
}

// footerCheck bounds all lists of a footer together by its size.
type footerCheck struct{ budget int }

// list returns the length of a list, whose elements have so many bytes.
func (c *footerCheck) list(t *flatbuffers.Table, field, bytes int) int {
	at := flatbuffers.UOffsetT(t.Offset(slot(field)))
	if at == 0 {
		return 0
	}
	n := t.VectorLen(at)
	if n < 0 || n > c.budget/bytes {
		panic(fmt.Errorf("a list of %d elements in the footer", n))
	}
	c.budget -= n * bytes
	return n
}

// fields checks a list of fields and theirs.
func (c *footerCheck) fields(t *flatbuffers.Table, field, depth int) error {
	const children, metadata, kind, kindName, union, unionIDs = 5, 6, 3, 2, 14, 1
	if depth > 8 {
		return errors.New("columns in columns too deep")
	}
	n := c.list(t, field, 4)
	for i := range n {
		start := t.Vector(flatbuffers.UOffsetT(t.Offset(slot(field)))) + flatbuffers.UOffsetT(4*i)
		f := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(start)}
		c.list(&f, metadata, 4)
		if at := flatbuffers.UOffsetT(f.Offset(slot(kindName))); at != 0 && f.GetByte(at+f.Pos) == union {
			if u, ok := child(&f, kind); ok {
				c.list(&u, unionIDs, 4)
			}
		}
		if err := c.fields(&f, children, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// child returns the table in a field.
func child(t *flatbuffers.Table, field int) (flatbuffers.Table, bool) {
	at := flatbuffers.UOffsetT(t.Offset(slot(field)))
	if at == 0 {
		return flatbuffers.Table{}, false
	}
	return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at + t.Pos)}, true
}

// slot is where the offset of a field is in a table's list of offsets.
func slot(field int) flatbuffers.VOffsetT { return flatbuffers.VOffsetT(4 + 2*field) }
