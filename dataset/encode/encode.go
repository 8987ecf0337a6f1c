// Package encode turns a rollout database into the tables that other programs train on: the inputs of a net and
// its targets, as NumPy's .npy, as Parquet, or as Arrow IPC.
package encode

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"bgtrain/dataset"
	"bgtrain/dataset/arrowfile"
	"bgtrain/features"
	"bgtrain/internal/bg"
)

// Format is a form of tables.
type Format string

// The formats. NPY is a directory of arrays, the others are one file.
const (
	NPY     Format = "npy"
	Parquet Format = "parquet"
	Arrow   Format = "arrow"
)

// Formats lists the formats for messages.
var Formats = []Format{NPY, Parquet, Arrow}

// FormatOf returns the format of a name, or where that is "auto" the one that the output's
// name asks for.
func FormatOf(name, out string) (Format, error) {
	switch {
	case slices.Contains(Formats, Format(name)):
		return Format(name), nil
	case name != "auto":
		return "", fmt.Errorf("--format %s: npy, parquet, arrow or auto expected", name)
	case strings.EqualFold(filepath.Ext(out), ".parquet"):
		return Parquet, nil
	case arrowfile.Named(out):
		return Arrow, nil
	}
	return NPY, nil
}

// InputsOf returns the inputs of a name; gnubg is GNU Backgammon's of the one class.
func InputsOf(name string, classes []bg.Class) (*features.Set, error) {
	if name == "gnubg" {
		if len(classes) != 1 || classes[0] == bg.Bearoff {
			return nil, errors.New("--inputs gnubg: one --class expected: contact, crashed or race")
		}
		name += "-" + classes[0].String()
	}
	return features.ByName(name)
}

// Settings are those of Database.
type Settings struct {
	Format  Format
	Inputs  *features.Set
	Classes []bg.Class // nil: all
	Partial bool       // a database with parts missing will do

	// Progress, if not nil, is called with the rows read so far.
	Progress func(done, total int)
}

// Report counts what was written.
type Report struct {
	Rows    int `json:"rows"`
	Inputs  int `json:"inputs"`   // numbers a row
	Without int `json:"left_out"` // positions without outputs
}

// rows are positions on their way into a table.
type rows struct {
	keys    []bg.Key
	classes []bg.Class
	inputs  []float32 // Settings.Inputs.Size a row
	targets []bg.Outputs
	se      []float32 // standard errors of the equities, points; NaN where unknown
}

// table is a table being written.
type table interface {
	add(*rows) error
	close() error // writes what is left, and the file appears
	abort()       // does nothing after close
}

// rowsAtATime is how many rows are encoded and handed on together.
const rowsAtATime = 1 << 13

// Database encodes the rows of db that have outputs, in their order, into path.
// What it writes depends on the database and the settings alone.
func Database(ctx context.Context, db *dataset.DB, path string, s Settings) (r Report, err error) {
	filter := dataset.Filter{Classes: s.Classes, Partial: s.Partial,
		Columns: dataset.ColClass | dataset.ColOutputs | dataset.ColEquitySE}
	r.Inputs = s.Inputs.Size
	t, err := s.create(path)
	if err != nil {
		return r, err
	}
	defer t.abort()
	var part rows
	done := 0
	flush := func() error {
		defer part.reset()
		r.Rows += len(part.keys)
		return t.add(&part)
	}
	for batch, err := range db.Batches(ctx, filter) {
		if err != nil {
			return r, fmt.Errorf("encode: %w", err)
		}
		for i := range batch.Len() {
			if !batch.HasOutputs[i] {
				r.Without++
				continue
			}
			if err := part.append(s.Inputs, batch, i); err != nil {
				return r, fmt.Errorf("encode %s: %w", db.Path(), err)
			}
			if len(part.keys) == rowsAtATime {
				if err := flush(); err != nil {
					return r, err
				}
			}
		}
		if done += batch.Len(); s.Progress != nil {
			s.Progress(done, int(db.NumRows()))
		}
	}
	if err := flush(); err != nil {
		return r, err
	}
	return r, t.close()
}

func (s *Settings) create(path string) (table, error) {
	switch s.Format {
	case NPY:
		return createNPY(path, s.Inputs)
	case Parquet:
		return createParquet(path, s.Inputs)
	case Arrow:
		return createArrow(path, s.Inputs)
	}
	return nil, fmt.Errorf("encode: format %q is none of %v", s.Format, Formats)
}

func (p *rows) append(set *features.Set, batch *dataset.Batch, i int) error {
	b, err := batch.Keys[i].Board()
	if err != nil {
		return fmt.Errorf("position %s: %w", batch.Keys[i], err)
	}
	n := len(p.inputs)
	p.inputs = slices.Grow(p.inputs, set.Size)[:n+set.Size]
	clear(p.inputs[n:])
	set.Encode(&b, p.inputs[n:])
	p.keys, p.classes = append(p.keys, batch.Keys[i]), append(p.classes, batch.Class[i])
	p.targets, p.se = append(p.targets, batch.Outputs[i]), append(p.se, batch.EquitySE[i])
	return nil
}

func (p *rows) reset() {
	p.keys, p.classes, p.inputs, p.targets, p.se = p.keys[:0], p.classes[:0], p.inputs[:0], p.targets[:0], p.se[:0]
}

// appendFloats appends numbers in little-endian order.
func appendFloats(b []byte, values ...float32) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// inputsKey and versionKey name the input set in the metadata of a table.
const (
	inputsKey  = "bgtrain.inputs"
	versionKey = "bgtrain.inputs_version"
)
