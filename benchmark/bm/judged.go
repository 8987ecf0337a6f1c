package bm

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"

	"bgtrain/internal/bg"
	"bgtrain/internal/filekind"
	"bgtrain/internal/stats"
	"bgtrain/internal/textfile"
)

// Judged counts what was imported of decisions that another program has judged.
type Judged struct {
	File    string  `json:"file"`
	Plays   int     `json:"plays"`
	Cubes   int     `json:"cube_decisions"`
	Forced  int     `json:"without_a_choice"` // left out
	Skipped []error `json:"-"`                // what was wrong with each decision left out
}

// IsJudged reports whether a file is JSON, by its first letter; it may be compressed.
func IsJudged(path string) bool {
	is, err := filekind.Of(path)
	return err == nil && is == filekind.JSON
}

// ImportJudged writes the decisions of files in Open Sage's format as a benchmark file: plays
// with the outputs of their candidates, losses by cubeless equity, and cube decisions. The
// format is that of benchmark.json of its money and Paskogammon benchmarks:
//
//	{"decisions": [{"kind": "checker", "board": B, "dice": [3, 1], "tier": T,
//	   "moves": [{"board": B, "probs": P, …}, …], …},
//	  {"kind": "cube", "board": B, "probs": P, "tier": T, …}, …]}
//
// B has 26 numbers as the player on roll sees them: 24 points, his own checkers positive;
// first the opponent's on the bar, last his own. P are win, gammon and backgammon, lost
// gammon and backgammon of the same player, also after a play. T says how it was judged.
//
// Outputs of rollouts with variance reduction are moved to the nearest that are
// probabilities, by 0.005 at most. Errors begin with file, line and decision; with skipBad
// what is wrong is left out.
func ImportJudged(ctx context.Context, paths []string, out, command string, skipBad bool) (*Judged, error) {
	sum := &Judged{File: out}
	err := WriteFile(out, func(w *Writer) error {
		w.Settings(command)
		for _, path := range paths {
			if err := sum.importFile(ctx, path, w, skipBad); err != nil {
				return err
			}
		}
		if sum.Plays+sum.Cubes == 0 {
			return fmt.Errorf("no decision with a choice in %v", paths)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sum, nil
}

func (sum *Judged) importFile(ctx context.Context, path string, w *Writer, skipBad bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in, done, err := textfile.Unpack(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer done()
	return readJudged(in, path, func(at string, d *judgedDecision) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := sum.add(at, d, w)
		if err != nil {
			err = fmt.Errorf("%s: %w", at, err)
			if skipBad {
				sum.Skipped = append(sum.Skipped, err)
				return nil
			}
		}
		return err
	})
}

// judgedDecision is a decision as the files have it.
type judgedDecision struct {
	Kind  string       `json:"kind"`
	Board []int        `json:"board"`
	Dice  []int        `json:"dice"`
	Tier  string       `json:"tier"`
	Moves []judgedMove `json:"moves"`
	Probs []float64    `json:"probs"`
}

type judgedMove struct {
	Board []int     `json:"board"`
	Probs []float64 `json:"probs"`
}

// readJudged gives each decision of a stream, with its place in words. Errors begin with it.
func readJudged(in io.Reader, path string, each func(at string, d *judgedDecision) error) error {
	lines := &lineCounter{r: in}
	dec := json.NewDecoder(bufio.NewReader(lines))
	n := 0 // decisions
	fail := func(err error) error {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("after %s the file ends within its JSON: it may be cut off",
				stats.Count(n, "decision", "decisions"))
		}
		return fmt.Errorf("%s:%d: %w", path, lines.line(dec.InputOffset()), err)
	}
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fail(cmp.Or(err, errors.New("{ expected")))
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return fail(err)
		}
		if key != "decisions" {
			if err := dec.Decode(new(json.RawMessage)); err != nil {
				return fail(err)
			}
			continue
		}
		if t, err := dec.Token(); err != nil || t != json.Delim('[') {
			return fail(cmp.Or(err, errors.New("decisions: [ expected")))
		}
		for dec.More() {
			var d judgedDecision
			if err := dec.Decode(&d); err != nil {
				return fail(fmt.Errorf("decision %d: %w", n+1, err))
			}
			n++
			if err := each(fmt.Sprintf("%s:%d: decision %d", path, lines.line(dec.InputOffset()), n), &d); err != nil {
				return err
			}
		}
		if _, err := dec.Token(); err != nil {
			return fail(err)
		}
	}
	if _, err := dec.Token(); err != nil {
		return fail(err)
	}
	if n == 0 {
		return fail(errors.New(`no "decisions" in it`))
	}
	return nil
}

// lineCounter keeps where the lines of a stream end.
type lineCounter struct {
	r    io.Reader
	read int64
	ends []int64
}

// Read reads from r and notes where lines end.
func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	return n, err
}

// line is the number of the line of an offset, from 1.
func (c *lineCounter) line(offset int64) int {
	return 1 + sort.Search(len(c.ends), func(i int) bool { return c.ends[i] >= offset })
}

// add writes a decision. It does so whole or, with an error, not at all.
func (sum *Judged) add(at string, d *judgedDecision, w *Writer) error {
	b, err := bg.FromNumbers(d.Board)
	if err != nil {
		return err
	}
	if bg.Classify(&b) == bg.Over {
		return errors.New("the game is over")
	}
	at += ", judged by " + cmp.Or(clip(d.Tier), "what it does not say")
	switch d.Kind {
	case "checker":
		r, err := d.record(&b)
		if err != nil {
			return err
		}
		if len(r.Candidates) < 2 {
			sum.Forced++
			return nil
		}
		sum.Plays++
		w.Comment(at)
		w.Record(r)
	case "cube":
		o, err := bg.NearestOutputs(d.Probs)
		if err != nil {
			return err
		}
		sum.Cubes++
		w.Comment(at)
		w.Cube(&CubeRecord{Key: b.Key(), Outputs: o})
	default:
		return fmt.Errorf("kind %q, checker or cube expected", clip(d.Kind))
	}
	return nil
}

// record is a play, its candidates sorted by their cubeless equity.
func (d *judgedDecision) record(b *bg.Board) (*Record, error) {
	if len(d.Dice) != 2 || slices.Min(d.Dice) < 1 || slices.Max(d.Dice) > 6 {
		return nil, fmt.Errorf("dice %v, two from 1 to 6 expected", d.Dice)
	}
	r := &Record{Key: b.Key(), Dice: [2]int(d.Dice)}
	var plays bg.Plays
	legal := plays.Generate(b, max(d.Dice[0], d.Dice[1]), min(d.Dice[0], d.Dice[1]))
	equities := map[bg.Key]float64{}
	for i := range d.Moves {
		m := &d.Moves[i]
		own, err := bg.FromNumbers(m.Board)
		if err != nil {
			return nil, fmt.Errorf("play %d: %w", i+1, err)
		}
		after := own.Swapped()
		if !slices.Contains(legal, after) {
			return nil, fmt.Errorf("play %d: %w of %d%d", i+1, bg.ErrIllegalPlay, d.Dice[0], d.Dice[1])
		}
		o, err := bg.NearestOutputs(m.Probs)
		if err != nil {
			return nil, fmt.Errorf("play %d: %w", i+1, err)
		}
		k := after.Key()
		if _, twice := equities[k]; twice {
			return nil, fmt.Errorf("play %d is there twice", i+1)
		}
		equities[k] = float64(o.Equity())
		r.Candidates = append(r.Candidates, Candidate{Key: k, Outputs: o.Inverted(), RolledOut: true})
	}
	slices.SortStableFunc(r.Candidates, func(x, y Candidate) int {
		return cmp.Compare(equities[y.Key], equities[x.Key])
	})
	for i := range r.Candidates {
		if i == 0 {
			r.BestEquity = equities[r.Candidates[0].Key]
		}
		r.Candidates[i].Loss = r.BestEquity - equities[r.Candidates[i].Key]
	}
	return r, nil
}
