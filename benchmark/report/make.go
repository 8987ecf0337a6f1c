package report

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/data"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
	"bgtrain/trainer/curve"
	"bgtrain/trainer/grow"
)

// Settings describe what a page is about.
type Settings struct {
	Net      string   // the player; "": learning curves and runs of grow alone
	Against  []string // players beside it
	Files    []string // benchmark files; none: those that ship with the program
	Grown    []string // directories of grow
	Curves   []string
	Database string // "": none
	Output   string // the page
	Title    string
	Worst    int // decisions of each class
	Workers  int // goroutines, 0: one a processor; the page does not depend on it
	SkipBad  bool
	Command  string // that makes the page
}

// Defaults are the settings of the command.
var Defaults = Settings{Net: "default", Worst: 20}

// List returns the settings.
func (s *Settings) List() setting.List {
	return setting.List{
		{Name: "net", To: &s.Net,
			Help: "the net the page is about: net file or embedded net (" + data.NetList() + ")"},
		{Name: "against", To: &s.Against, Help: "another player beside it; may be given again"},
		{Name: "benchmark", To: &s.Files, Help: "benchmark file; may be given again"},
		{Name: "grown", To: &s.Grown, Help: "directory of a run of grow; may be given again"},
		{Name: "curve", To: &s.Curves, Help: "learning curve of td or train (.jsonl); may be given again"},
		{Name: "db", To: &s.Database, Help: "training database to describe, and to compare its outputs with the nets': " +
			"a file, a directory, or embedded"},
		{Name: "output", Short: "o", To: &s.Output, Help: "the page to write"},
		{Name: "title", To: &s.Title, Help: "title of the page; without it one that names the net"},
		score.WorstSetting(&s.Worst, "worst decisions of each class to draw"),
		parallel.Setting(&s.Workers),
		{Name: "skip-bad", To: &s.SkipBad, Help: "leave bad benchmark records out and say how many"},
	}
}

// Sort puts what was named without a flag to where its content belongs. haveNet means that
// Net was named, so that no other takes its place.
func (s *Settings) Sort(names []string, haveNet bool) error {
	var nets []string
	for _, name := range names {
		switch {
		case grow.IsRun(name):
			s.Grown = append(s.Grown, name)
		case filepath.Base(name) == grow.LogFile:
			s.Grown = append(s.Grown, filepath.Dir(name))
		case strings.HasSuffix(name, ".jsonl"):
			s.Curves = append(s.Curves, name)
		case data.IsDatabase(name):
			if s.Database != "" {
				return fmt.Errorf("%s: one database expected, %s is given already", name, s.Database)
			}
			s.Database = name
		case bm.IsBenchmark(name):
			s.Files = append(s.Files, name)
		default: // opening it describes what is wrong with one that is no player
			nets = append(nets, name)
		}
	}
	if len(nets) > 0 && !haveNet {
		s.Net, nets, haveNet = nets[0], nets[1:], true
	}
	s.Against = append(s.Against, nets...)
	if !haveNet && len(s.Curves)+len(s.Grown) > 0 && len(s.Files) == 0 && len(s.Against) == 0 && s.Database == "" {
		s.Net = "" // the way there and nothing else
	}
	return nil
}

// Hooks of the making of a page.
type Hooks struct {
	Begin   func(unit, player, file string, total int) func(done, total int) // as score.Judging has it
	Skipped func(*bm.File)                                                   // a file with bad records left out
}

// Make judges the players and writes the page.
func (s *Settings) Make(ctx context.Context, players *opponents.Opener, h Hooks) error {
	in := &Input{Title: s.Title, Made: time.Now(), Command: s.Command, Worst: s.Worst}
	j := score.Defaults
	j.Calibration, j.Static, j.Workers, j.Begin = true, true, s.Workers, h.Begin
	if err := s.read(ctx, players, in, &j, h); err != nil {
		return err
	}
	r, err := score.Judge(ctx, in.Players, j)
	if err != nil {
		return err
	}
	in.Judgment = *r
	if len(j.Databases) > 0 {
		if in.Database, err = DescribeDatabase(ctx, j.Databases[0]); err != nil {
			return err
		}
	}
	return atomicfile.Write(s.Output, func(w io.Writer) error { return Write(w, in) })
}

// read reads what the page shows that needs no computing, and what its players are
// judged by: all that may be wrong is found before what takes time.
func (s *Settings) read(ctx context.Context, players *opponents.Opener, in *Input, j *score.Judging, h Hooks) error {
	if in.Title == "" {
		about := s.Net
		switch {
		case about != "":
		case len(s.Grown) > 0:
			about = grow.RunName(s.Grown[0])
		default:
			about = strings.TrimSuffix(s.Curves[0], ".curve.jsonl")
		}
		in.Title = "Report on " + strings.TrimSuffix(filepath.Base(about), ".safetensors")
	}
	for _, r := range ReadGrown(s.Grown) {
		if r.Problem != nil {
			return r.Problem
		}
		in.Grown = append(in.Grown, r)
	}
	for _, path := range s.Curves {
		c, err := curve.ReadRun(path)
		if err != nil {
			return err
		}
		in.Curves = append(in.Curves, c)
	}
	var err error
	if s.Net != "" {
		if j.Files, err = bm.ReadAll(s.Files, bm.ReadOptions{SkipBad: s.SkipBad}); err != nil {
			return err
		}
		for _, f := range j.Files {
			h.Skipped(f)
		}
	}
	if s.Database != "" {
		if j.Databases, err = data.OpenDatabases([]string{s.Database}); err != nil {
			return err
		}
	}
	if s.Net == "" {
		return nil
	}
	return s.open(ctx, players, in)
}

// open opens the players, and the files of their nets once more for what they hold.
func (s *Settings) open(ctx context.Context, players *opponents.Opener, in *Input) error {
	shown := map[string]bool{}
	for _, text := range append([]string{s.Net}, s.Against...) {
		n, err := opponents.ParseName(text, players.Ply)
		if err != nil {
			return err
		}
		p, err := players.Open(ctx, n, opponents.Equity)
		if err != nil {
			return err
		}
		in.Players = append(in.Players, p)
		if !n.IsNet() || shown[n.Base] {
			continue
		}
		shown[n.Base] = true
		f, err := data.OpenNet(n.Base)
		if err != nil {
			return err
		}
		in.Nets = append(in.Nets, Net{Name: n.Base, File: f})
	}
	return nil
}
