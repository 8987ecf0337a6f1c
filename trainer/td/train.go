package td

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"bgtrain/benchmark/match"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/disk"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
)

// Files are what a training writes, and what it goes on from.
type Files struct {
	Net   string // beside it NET.checkpoint, NET.curve.jsonl and NET.curve.svg
	Fresh bool   // start from the first game even where a checkpoint exists
}

func (f *Files) checkpoint() string { return f.Net + ".checkpoint" }
func (f *Files) curve() string      { return f.Net + ".curve" }

// Matches are how the curve measures the player while it learns.
type Matches struct {
	Every    int    // games between matches; 0: none
	Games    int    // of a match
	Opponent string // its name, for the picture
	Window   int    // matches that the moving averages of the picture are of
	Against  opponents.Player
}

// List has each setting.
func (m *Matches) List() setting.List {
	return setting.List{
		{Name: "match-every", To: &m.Every, Range: setting.From(0, 1<<30),
			Help: "play a match after every so many games, for the curve; 0 for never"},
		{Name: "match-games", To: &m.Games, Range: setting.From(2, 1<<30), Help: "games of such a match"},
		{Name: "match-against", To: &m.Opponent, Help: "its opponent: a net, pubeval, pipcount or random"},
		{Name: "window", To: &m.Window, Range: setting.From(1, 1<<30),
			Help: "matches that a moving average of the curve is of"},
	}
}

// Hooks follow a training. All may be left out.
type Hooks struct {
	Resumed  func(games int)       // it goes on from a checkpoint
	Progress func(done, total int) // games
	Note     func(text string)     // the newest point of the curve, in words
}

// Train trains a player, from a net (nil: random weights), and writes it with its
// learning curve. If ctx ends, the state is kept in a checkpoint, and the same call
// goes on from there and writes the same file.
func Train(ctx context.Context, from *nets.Set, db *bearoff.DB, files Files, s Settings, m Matches,
	h Hooks) (*nets.Set, error) {
	for _, path := range []string{files.Net, files.checkpoint(), files.curve() + ".jsonl", files.curve() + ".svg"} {
		if err := atomicfile.Clean(path); err != nil {
			return nil, err
		}
	}
	st, err := files.start(from, s, h)
	if err != nil {
		return nil, err
	}
	curve, err := openCurve(files.curve(), &m, st.Games)
	if err != nil {
		return nil, err
	}
	t := &training{files: files, s: s, m: m, h: h, db: db, curve: curve, saved: time.Now()}
	err = Run(ctx, st, db, s, func(st *State, p Point) error { return t.round(ctx, st, p) })
	if err != nil {
		if ctx.Err() != nil {
			err = errors.Join(t.save(st, nil), err)
		}
		return nil, err
	}
	if err := errors.Join(curve.save(nil), curve.plot()); err != nil {
		return nil, err
	}
	st.Nets.Provenance = s.Identity(st.From)
	if err := nets.Write(files.Net, st.Nets); err != nil {
		return nil, err
	}
	if err := disk.Remove(files.checkpoint()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return st.Nets, nil
}

// start returns the state of the checkpoint, or that before the first game.
func (f *Files) start(from *nets.Set, s Settings, h Hooks) (*State, error) {
	fingerprint := ""
	if from != nil {
		fingerprint = from.Fingerprint()
	}
	if !f.Fresh {
		st, err := LoadCheckpoint(f.checkpoint(), fingerprint, s)
		if err != nil {
			return nil, fmt.Errorf("%w (--fresh starts from the first game)", err)
		}
		if st != nil {
			if h.Resumed != nil {
				h.Resumed(st.Games)
			}
			return st, nil
		}
	}
	if from != nil {
		return From(from, s)
	}
	return New(s)
}

// training is a call of Train under way.
type training struct {
	files Files
	s     Settings
	m     Matches
	h     Hooks
	db    *bearoff.DB
	curve *curveFile
	saved time.Time
}

// round follows the training: curve, matches and checkpoints.
func (t *training) round(ctx context.Context, st *State, p Point) error {
	if t.h.Progress != nil {
		t.h.Progress(p.Games, t.s.Games)
	}
	t.curve.since.add(p)
	if every := t.m.Every; every > 0 && p.Games/every > (p.Games-t.s.RoundGames)/every {
		result, err := t.match(ctx, st.Nets)
		if err != nil {
			return err
		}
		t.note("rms error %.4f, %+.3f ± %.3f against %s", t.curve.since.rms(), result.Points.Mean, result.Points.SE,
			t.m.Opponent)
		return t.save(st, result)
	}
	if time.Since(t.saved) < t.s.CheckpointEvery {
		return nil
	}
	t.note("rms error %.4f, alpha %.4f", t.curve.since.rms(), p.Alpha)
	return t.save(st, nil)
}

// match plays a match of the player as it is, at 0-ply.
func (t *training) match(ctx context.Context, learner *nets.Set) (*match.Summary, error) {
	p, err := player.New(learner, t.db, player.Options{})
	if err != nil {
		return nil, err
	}
	m, err := match.Play(ctx, &opponents.NetPlayer{Net: p}, t.m.Against, match.Options{Games: t.m.Games, Seed: 1,
		Workers: t.s.Workers})
	if err != nil {
		return nil, fmt.Errorf("match against %s: %w", t.m.Against.Name(), err)
	}
	s := m.Summary()
	return &s, nil
}

func (t *training) note(format string, args ...any) {
	if t.h.Note != nil {
		t.h.Note(fmt.Sprintf(format, args...))
	}
}

// save writes a checkpoint and the curve up to it.
func (t *training) save(st *State, match *match.Summary) error {
	t.saved = time.Now()
	return errors.Join(SaveCheckpoint(t.files.checkpoint(), st, t.s), t.curve.save(match))
}
