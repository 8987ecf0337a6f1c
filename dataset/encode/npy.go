package encode

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bgtrain/features"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
)

// npyTable is a directory of arrays: inputs.npy (rows, inputs), targets.npy (rows, 5) and equity_se.npy (rows) of
// float32, positions.npy (rows, 10) of bytes, classes.npy (rows) of bytes as bg.Class; and inputs.json, which
// names the inputs and the classes.
type npyTable struct {
	dir  *atomicfile.Dir
	set  *features.Set
	rows int

	inputs, targets, se, positions, classes *npyArray
	buf                                     []byte
}

// npyArray is one array being written.
type npyArray struct {
	f     *os.File
	w     *bufio.Writer
	kind  string // NumPy's name of the type
	width int    // of a row; 0: the array has one dimension
}

// npyHead is the length of the header, with room for any number of rows.
const npyHead = 128

func createNPY(path string, set *features.Set) (table, error) {
	dir, err := atomicfile.CreateDir(strings.TrimRight(path, "/"))
	if err != nil {
		return nil, err
	}
	t := &npyTable{dir: dir, set: set}
	for _, a := range []struct {
		to    **npyArray
		name  string
		kind  string
		width int
	}{
		{&t.inputs, "inputs", "<f4", set.Size}, {&t.targets, "targets", "<f4", bg.NumOutputs}, {&t.se, "equity_se",
			"<f4", 0},
		{&t.positions, "positions", "|u1", len(bg.Key{})}, {&t.classes, "classes", "|u1", 0},
	} {
		f, err := os.Create(filepath.Join(dir.Name(), a.name+".npy"))
		if err != nil {
			t.abort()
			return nil, err
		}
		*a.to = &npyArray{f: f, w: bufio.NewWriterSize(f, 1<<20), kind: a.kind, width: a.width}
		if _, err := f.Write(make([]byte, npyHead)); err != nil {
			t.abort()
			return nil, err
		}
	}
	return t, nil
}

func (t *npyTable) arrays() []*npyArray {
	return []*npyArray{t.inputs, t.targets, t.se, t.positions, t.classes}
}

func (t *npyTable) add(p *rows) error {
	t.rows += len(p.keys)
	write := func(a *npyArray, fill func(b []byte) []byte) error {
		t.buf = fill(t.buf[:0])
		_, err := a.w.Write(t.buf)
		return err
	}
	for _, err := range []error{
		write(t.inputs, func(b []byte) []byte { return appendFloats(b, p.inputs...) }),
		write(t.targets, func(b []byte) []byte {
			for i := range p.targets {
				b = appendFloats(b, p.targets[i][:]...)
			}
			return b
		}),
		write(t.se, func(b []byte) []byte { return appendFloats(b, p.se...) }),
		write(t.positions, func(b []byte) []byte {
			for i := range p.keys {
				b = append(b, p.keys[i][:]...)
			}
			return b
		}),
		write(t.classes, func(b []byte) []byte {
			for _, c := range p.classes {
				b = append(b, byte(c))
			}
			return b
		}),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *npyTable) close() error {
	for _, a := range t.arrays() {
		if err := a.finish(t.rows); err != nil {
			return err
		}
	}
	names := make([]string, t.set.Size)
	for i := range names {
		names[i] = t.set.InputName(i)
	}
	classes := make([]string, bg.NumClasses)
	for c := range classes {
		classes[c] = bg.Class(c).String()
	}
	text, err := json.MarshalIndent(map[string]any{
		"inputs": t.set.Name, "version": t.set.Version, "names": names, "classes": classes,
		"targets": []string{"win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"},
	}, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(t.dir.Name(), "inputs.json"), append(text, '\n'), 0o666); err != nil {
		return err
	}
	return t.dir.Commit()
}

// finish writes the header, now that the number of rows is known.
func (a *npyArray) finish(rows int) error {
	if err := a.w.Flush(); err != nil {
		return err
	}
	shape := fmt.Sprintf("(%d,)", rows)
	if a.width > 0 {
		shape = fmt.Sprintf("(%d, %d)", rows, a.width)
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", a.kind, shape)
	const before = 10 // magic, version, length of the text
	head := append([]byte("\x93NUMPY\x01\x00"), npyHead-before, 0)
	head = append(head, text+strings.Repeat(" ", npyHead-before-len(text)-1)+"\n"...)
	if _, err := a.f.WriteAt(head, 0); err != nil {
		return err
	}
	if err := a.f.Sync(); err != nil {
		return err
	}
	f := a.f
	a.f = nil
	return f.Close()
}

func (t *npyTable) abort() {
	for _, a := range t.arrays() {
		if a != nil && a.f != nil {
			a.f.Close() // it is removed
			a.f = nil
		}
	}
	t.dir.Abort()
}
