package matchfile

import (
	"context"
	"fmt"
	"path/filepath"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

// ImportOptions are those of Import. The zero value is usable.
type ImportOptions struct {
	Format  Format // of all files; Unknown looks at each
	Source  string // begins the source column; "" is the base name of each file
	SkipBad bool   // leave the rest of a game out after a play that is not legal
	Write   dataset.Options

	// Decision, if not nil, is given the first of each decision about a checker play: a position and a roll with
	// more than one legal play. The action is valid during the call only.
	Decision func(source string, a *Action) error

	// Progress, if not nil, is called after every match.
	Progress func(done, total int)
}

// Report counts what Import found.
type Report struct {
	Matches   int64
	Games     int64
	Plays     int64                // rolls that were played
	Rows      int64                // positions written
	Classes   [bg.NumClasses]int64 // of them, by class
	Dropped   int64                // positions that had come before
	Decisions int64                // different ones, of more than one legal play
	Problems  int64                // games of which the rest was left out
	First     *Problem             // the first of them
}

// Import reads the matches of files and writes their positions to the database out, each of them once, without
// outputs: those before a roll or a double, and those where a game stops. The source of a row is file, game and
// move. A play that the rules do not allow is an error, unless SkipBad is set; then the rest of its game is left
// out.
func Import(ctx context.Context, files []string, out string, o ImportOptions) (Report, error) {
	w, err := dataset.Create(out, o.Write)
	if err != nil {
		return Report{}, err
	}
	defer w.Abort()
	im := &importer{ctx: ctx, o: &o, w: w}
	for _, path := range files {
		if err := im.file(path); err != nil {
			return im.report, fmt.Errorf("import %w", err)
		}
	}
	return im.report, w.Close()
}

// importer is the state of an Import.
type importer struct {
	ctx       context.Context
	o         *ImportOptions
	w         *dataset.Writer
	positions dataset.KeySet
	decisions [36]dataset.KeySet // by roll
	plays     bg.Plays
	source    string // of the file
	report    Report
}

func (im *importer) file(path string) error {
	if im.source = im.o.Source; im.source == "" {
		im.source = filepath.Base(path)
	}
	h := Handler{Match: im.match}
	if im.o.SkipBad {
		h.Problem = func(p *Problem) error {
			if im.report.Problems++; im.report.First == nil {
				im.report.First = p
			}
			return im.ctx.Err()
		}
	}
	return ReadFile(path, im.o.Format, h)
}

func (im *importer) match(m *Match) error {
	im.report.Matches++
	for i := range m.Games {
		g := &m.Games[i]
		im.report.Games++
		err := g.Decisions(func(a *Action) error {
			if a.Kind == Play {
				im.report.Plays++
			}
			return im.action(m, g, a)
		})
		if err != nil {
			return err
		}
	}
	if im.o.Progress != nil {
		im.o.Progress(int(im.report.Matches), 0)
	}
	return im.ctx.Err()
}

// action adds the position of an action, and the decision.
func (im *importer) action(m *Match, g *Game, a *Action) error {
	source := func() string {
		if a.Player == None {
			return fmt.Sprintf("%s line %d", im.source, m.Line)
		}
		return fmt.Sprintf("%s game %d move %d", im.source, g.Number, a.Move)
	}
	key := a.Board.Key()
	if !im.positions.Add(key) {
		im.report.Dropped++
	} else {
		row := dataset.Row{Key: key, Class: dataset.ClassOf(&a.Board), Source: source()}
		im.report.Rows++
		im.report.Classes[row.Class]++
		if err := im.w.Write(&row); err != nil {
			return err
		}
	}
	if im.o.Decision == nil || a.Dice == [2]int{} {
		return nil
	}
	hi, lo := max(a.Dice[0], a.Dice[1]), min(a.Dice[0], a.Dice[1])
	if len(im.plays.Generate(&a.Board, hi, lo)) < 2 || !im.decisions[6*(hi-1)+lo-1].Add(key) {
		return nil
	}
	im.report.Decisions++
	return im.o.Decision(source(), a)
}
