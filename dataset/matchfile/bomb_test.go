package matchfile

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// fill is a stream of one byte without end, and counts what was read of it.
type fill struct {
	c byte
	n int
}

func (f *fill) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = f.c
	}
	f.n += len(p)
	return len(p), nil
}

// Streams that go on for ever with one byte are refused early, whatever they are said
// to be.
func TestStreamsOfOneByte(t *testing.T) {
	for _, head := range []string{"", "(;", "(;GM[6]", "(;GM[6]C[", "(;GM[6]C[x", "(;\\", "(;GM", xgMagic,
		" 5 point match\n\n Game 1\n a : 0  b : 0\n  1) ", "4HPwATDgc/ABMA"} {
		for _, c := range []byte{0, ' ', 'A', 'x', '(', ';', '[', '\\', 0xff} {
			for _, f := range []Format{Unknown, Mat, SGF, IDs} {
				if f == Unknown && head == xgMagic && c > 0 {
					continue // 64 MB, once
				}
				rest := &fill{c: c}
				err := Read(io.MultiReader(strings.NewReader(head), rest), "x", f, Handler{})
				if err == nil || !strings.HasPrefix(err.Error(), "x") || rest.n > maxXGFile+1<<20 {
					t.Errorf("%q and %q as %v: %d bytes read, %v", head, c, f, rest.n, err)
				}
			}
		}
	}
}

// A file of 1 MB that unpacks to a thousand times as much is left long before its end.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("reads much, with one goroutine")
	}
	for head, c := range map[string]string{"(;": " ", "(;GM[6]C[": "x", " 5 point match\n\n Game 1\n": "\n",
		"# IDs\n": "# x\n"} {
		part := gzipped(t, bytes.Repeat([]byte(c), 1<<22/len(c)))
		packed := append(gzipped(t, []byte(head)), bytes.Repeat(part, 1<<20/len(part))...)
		from := bytes.NewReader(packed)
		if err := Read(from, "x", Unknown, Handler{}); err == nil || !strings.HasPrefix(err.Error(), "x") {
			t.Errorf("%q and %q: %v", head, c, err)
		}
		if read := len(packed) - from.Len(); read > len(packed)*3/4 {
			t.Errorf("%q and %q: %d of %d bytes read", head, c, read, len(packed))
		}
	}
}
