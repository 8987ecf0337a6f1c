package bm

import (
	"bgtrain/internal/filekind"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"bgtrain/data"
	"bgtrain/internal/bg"
	"bgtrain/internal/textfile"
)

// rounding is how far numbers in a file may break a rule before it is more than
// rounding.
const rounding = 1e-4

// ReadOptions describe how benchmark files are read.
type ReadOptions struct {
	// SkipBad leaves bad records out and counts them. Damage to the file as a
	// whole, such as a cut-off last line, is an error all the same.
	SkipBad bool
}

// ReadFile reads a benchmark file, plain or compressed by gzip, bzip2 or zstd.
func ReadFile(path string, o ReadOptions) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := Read(f, path, o)
	if err != nil && !IsBenchmark(path) {
		return nil, filekind.Wrong(path, "a benchmark file (.bm)", err)
	}
	return file, err
}

// ReadAll reads the benchmark files named, or those that ship with the program where
// none is. A file without decisions is an error.
func ReadAll(names []string, o ReadOptions) ([]*File, error) {
	var files []*File
	for _, name := range names {
		f, err := ReadFile(name, o)
		if err != nil {
			return nil, err
		}
		if len(f.Records)+len(f.Cubes) == 0 {
			return nil, fmt.Errorf("%s: no decisions in it (m or o records)", name)
		}
		files = append(files, f)
	}
	if len(names) > 0 {
		return files, nil
	}
	for _, path := range data.List(data.Benchmarks) {
		f, err := ReadShipped(path)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// ReadShipped reads a benchmark file that ships with the program, by its path in
// data.Files; its name is the base of that.
func ReadShipped(path string) (*File, error) {
	r, err := data.Files().Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	f, err := Read(r, filepath.Base(path), ReadOptions{})
	if err != nil {
		return nil, fmt.Errorf("embedded %w", err)
	}
	return f, nil
}

// Read reads a whole benchmark file. Errors begin with name and line.
func Read(r io.Reader, name string, o ReadOptions) (*File, error) {
	h := sha256.New()
	raw := io.TeeReader(r, h)
	rd, err := NewReader(raw, name, o)
	if err != nil {
		return nil, err
	}
	defer rd.Close()
	f := &File{Name: name}
	var cubes []*CubeRecord // whose #D lines may follow
	for {
		m, c, err := rd.Next()
		switch {
		case err == io.EOF:
			if _, err := io.Copy(io.Discard, raw); err != nil { // what a decompressor leaves
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for _, c := range cubes {
				f.Cubes = append(f.Cubes, *c)
			}
			f.Checked = rd.sum.checked()
			f.Settings, f.Loose, f.Skipped = rd.Settings, rd.Loose, rd.Skipped
			f.Digest = hex.EncodeToString(h.Sum(nil)[:16])
			return f, nil
		case err != nil:
			return nil, err
		case m != nil:
			f.Records = append(f.Records, *m)
		default:
			cubes = append(cubes, c)
		}
	}
}

// Reader reads a benchmark file record by record.
type Reader struct {
	Settings []string // of the s records so far
	Loose    []int    // as in File, so far
	Skipped  []error  // as in File, so far

	name  string
	opts  ReadOptions
	lines *textfile.Reader
	line  int
	seed  uint64
	field [][]byte
	sum   section

	// A record is complete when the next one begins, since its #R lines may
	// stand before or after it.
	current *Record
	rolled  []rolledOut // #R lines that the current record has no use for
	cube    *CubeRecord // the last one, to which a #D line may belong
	err     error       // ends everything
}

// rolledOut is a #R line.
type rolledOut struct {
	line    int
	key     bg.Key
	outputs bg.Outputs
}

// NewReader returns a Reader; name is for messages only.
func NewReader(r io.Reader, name string, o ReadOptions) (*Reader, error) {
	lines, err := textfile.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Reader{name: name, opts: o, lines: lines}, nil
}

// Close frees the decompressor. It does not close the underlying reader.
func (r *Reader) Close() { r.lines.Close() }

// Next returns the next decision, a checker play or a cube decision: one of the
// two is not nil. At the end the error is io.EOF. A record stays valid; a cube record
// gets its #D line by the call after it.
func (r *Reader) Next() (*Record, *CubeRecord, error) {
	for r.err == nil {
		line, err := r.readLine()
		if err == io.EOF {
			if wrong := r.sum.end(); wrong != nil {
				err = fmt.Errorf("%s:%w", r.name, wrong)
			}
		}
		if err != nil {
			r.err = err
			break
		}
		done := r.current
		if err := r.sum.add(line, r.line); err != nil {
			r.err = fmt.Errorf("%s:%w", r.name, err)
			return nil, nil, r.err
		}
		cube, err := r.parse(line)
		if err != nil {
			err = fmt.Errorf("%s:%d: %w", r.name, r.line, err)
			if !r.opts.SkipBad {
				r.err = err
				return nil, nil, err
			}
			r.Skipped = append(r.Skipped, err)
			continue
		}
		if cube != nil {
			return nil, cube, nil
		}
		if done != nil && done != r.current {
			return done, nil, nil
		}
	}
	if r.err == io.EOF && r.current != nil {
		done := r.current
		r.current = nil
		for _, o := range r.rolled {
			r.Loose = append(r.Loose, o.line)
		}
		r.rolled = nil
		return done, nil, nil
	}
	return nil, nil, r.err
}

// readLine returns the next line without its end, valid until the next call.
func (r *Reader) readLine() ([]byte, error) {
	line, err := r.lines.Next()
	r.line = r.lines.Line()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s:%d: %w", r.name, r.line, err)
	}
	return line, err
}

// parse takes one line in: a new current record, #R outputs, or the cube record
// that it returns.
func (r *Reader) parse(line []byte) (*CubeRecord, error) {
	if len(line) == 0 {
		return nil, nil
	}
	if line[0] == '#' {
		switch {
		case bytes.HasPrefix(line, []byte("#R ")):
			return nil, r.parseRolledOut(line)
		case bytes.HasPrefix(line, []byte("#D ")):
			return nil, r.parseDecision(line)
		}
		return nil, nil
	}
	r.field = splitFields(r.field[:0], line)
	if len(r.field) == 0 {
		return nil, nil
	}
	switch kind := string(r.field[0]); kind {
	case "s":
		r.Settings = append(r.Settings, string(bytes.TrimSpace(line[1:])))
	case "r":
		if len(r.field) != 2 {
			return nil, fmt.Errorf("r record has %d fields, a seed expected", len(r.field)-1)
		}
		seed, err := strconv.ParseUint(string(r.field[1]), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("seed %q is not a number", r.field[1])
		}
		r.seed = seed
	case "m":
		m, err := r.parsePlay()
		if err != nil {
			return nil, err
		}
		r.begin(m)
	case "o":
		if len(r.field) != 7 {
			return nil, fmt.Errorf("o record has %d fields, key and 5 outputs expected", len(r.field)-1)
		}
		c := &CubeRecord{Line: r.line}
		var err error
		if c.Key, c.Outputs, err = parseOutputs(r.field[1:]); err != nil {
			return nil, fmt.Errorf("o record: %w", err)
		}
		r.cube = c
		return c, nil
	default:
		return nil, fmt.Errorf("unknown record %q (s, r, m, o or # expected)", clip(kind))
	}
	return nil, nil
}

// begin makes m the current record and gives it the #R lines before it.
func (r *Reader) begin(m *Record) {
	for _, o := range r.rolled {
		if c := m.Find(o.key); c != nil && !c.RolledOut {
			c.Outputs, c.RolledOut = o.outputs, true
		} else {
			r.Loose = append(r.Loose, o.line)
		}
	}
	r.rolled = r.rolled[:0]
	r.current = m
}

// parseRolledOut takes in a #R line: it belongs to the record before it if that
// lacks it, else to the next.
func (r *Reader) parseRolledOut(line []byte) error {
	r.field = splitFields(r.field[:0], line)
	if len(r.field) != 7 {
		return fmt.Errorf("#R line has %d fields, key and 5 outputs expected", len(r.field)-1)
	}
	key, outputs, err := parseOutputs(r.field[1:])
	if err != nil {
		return fmt.Errorf("#R line: %w", err)
	}
	if r.current != nil {
		if c := r.current.Find(key); c != nil && !c.RolledOut {
			c.Outputs, c.RolledOut = outputs, true
			return nil
		}
	}
	r.rolled = append(r.rolled, rolledOut{r.line, key, outputs})
	return nil
}

// parseDecision takes in a #D line, which belongs to the o record before it.
func (r *Reader) parseDecision(line []byte) error {
	r.field = splitFields(r.field[:0], line)
	key, d, err := parseCube(r.field[1:])
	switch {
	case err != nil:
		return fmt.Errorf("#D line: %w", err)
	case r.cube == nil || r.cube.Key != key || r.cube.Rolled != nil:
		return fmt.Errorf("#D line: no o record of %s before it, or one that has its line already", key)
	}
	r.cube.Rolled = d
	return nil
}

// parsePlay parses an m record from r.field.
func (r *Reader) parsePlay() (*Record, error) {
	f := r.field[1:]
	if len(f) < 5 || len(f)%2 != 1 {
		return nil, fmt.Errorf("m record has %d fields: key, two dice, best key and equity, then a key and a loss "+
			"for each other candidate expected", len(f))
	}
	m := &Record{Line: r.line, Seed: r.seed}
	var err error
	if m.Key, err = parseKey(f[0]); err != nil {
		return nil, err
	}
	for i := range m.Dice {
		d := f[1+i]
		if len(d) != 1 || d[0] < '1' || d[0] > '6' {
			return nil, fmt.Errorf("die %q, 1 to 6 expected", clip(string(d)))
		}
		m.Dice[i] = int(d[0] - '0')
	}
	if m.BestEquity, err = parseNumber(f[4]); err != nil {
		return nil, fmt.Errorf("best equity: %w", err)
	}
	if math.Abs(m.BestEquity) > 3+rounding {
		return nil, fmt.Errorf("best equity %v, -3 to 3 expected", m.BestEquity)
	}
	m.Candidates = make([]Candidate, len(f)/2-1)
	for i := range m.Candidates {
		c := &m.Candidates[i]
		if c.Key, err = parseKey(f[3+2*i]); err != nil {
			return nil, fmt.Errorf("candidate %d: %w", i+1, err)
		}
		if i == 0 {
			continue
		}
		if c.Loss, err = parseNumber(f[4+2*i]); err != nil {
			return nil, fmt.Errorf("candidate %d: loss: %w", i+1, err)
		}
		if before := m.Candidates[i-1].Loss; c.Loss < before-rounding {
			return nil, fmt.Errorf("candidate %d: loss %v after %v: losses must ascend from 0", i+1, c.Loss, before)
		}
		if c.Loss > 6+rounding {
			return nil, fmt.Errorf("candidate %d: loss %v, at most 6 points possible", i+1, c.Loss)
		}
	}
	return m, nil
}

// parseOutputs parses a key and five outputs and checks that they are possible.
func parseOutputs(f [][]byte) (k bg.Key, o bg.Outputs, err error) {
	if k, err = parseKey(f[0]); err != nil {
		return k, o, err
	}
	for i := range o {
		p, err := parseNumber(f[1+i])
		if err != nil {
			return k, o, fmt.Errorf("output %d: %w", i+1, err)
		}
		if p < -rounding || p > 1+rounding {
			return k, o, fmt.Errorf("output %d is %v, not a probability", i+1, p)
		}
		o[i] = float32(min(max(p, 0), 1))
	}
	switch {
	case o[bg.WinGammon] > o[bg.Win]+rounding, o[bg.WinBackgammon] > o[bg.WinGammon]+rounding,
		o[bg.LoseGammon] > 1-o[bg.Win]+rounding, o[bg.LoseBackgammon] > o[bg.LoseGammon]+rounding:
		return k, o, fmt.Errorf("outputs %v contradict each other: more gammons than wins or losses, or more "+
			"backgammons than gammons", o)
	}
	return k, o, nil
}

// parseKey parses a key in 20 letters, the only form in benchmark files.
func parseKey(s []byte) (bg.Key, error) {
	if len(s) != 20 {
		return bg.Key{}, fmt.Errorf("key %q has %d characters, 20 letters expected", clip(string(s)), len(s))
	}
	return bg.ParseKey(string(s))
}

// parseNumber parses a finite number.
func parseNumber(s []byte) (float64, error) {
	x, err := strconv.ParseFloat(string(s), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q is not a number", clip(string(s)))
	}
	return x, nil
}

// splitFields appends the fields of a line, separated by blanks and tabs.
func splitFields(dst [][]byte, line []byte) [][]byte {
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		start := i
		for i < len(line) && line[i] != ' ' && line[i] != '\t' {
			i++
		}
		dst = append(dst, line[start:i])
	}
	return dst
}

// clip shortens what a message quotes from a file.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
