//go:build integration

package match

import (
	"context"
	"testing"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/gnubgtest"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
)

// realGNUbg is the installed GNU Backgammon.
func realGNUbg(t testing.TB, ply int) *opponents.GNUbg {
	t.Helper()
	return &opponents.GNUbg{Ply: ply, Binary: gnubgtest.Binary(t)}
}

// importedNets is a player with the installed GNU Backgammon's nets.
func importedNets(t testing.TB, ply int, cacheMB int) *opponents.NetPlayer {
	t.Helper()
	f, err := nets.Read(gnubgtest.Weights(t))
	if err != nil {
		t.Fatal(err)
	}
	db, err := bearoff.Open(context.Background(), bearoff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := player.New(f, db, player.Options{CacheMB: cacheMB, Prune: ply > 0})
	if err != nil {
		t.Fatal(err)
	}
	return &opponents.NetPlayer{Net: p, Ply: ply, Objective: opponents.Match, Label: "imported"}
}

// Through its scripting interface GNU Backgammon decides the committed records,
// and so do its nets here: play by play the same.
func TestDecisionsOfGNUbg(t *testing.T) {
	for _, ply := range []int{0, 2} {
		for _, name := range []string{"../bm/testdata/contact.bm", "../bm/testdata/crashed.bm"} {
			f, err := bm.ReadFile(name, bm.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var scores [2]*score.Score
			for i, p := range []opponents.Player{realGNUbg(t, ply), importedNets(t, ply, 16)} {
				if scores[i], err = score.File(context.Background(), p, f, score.Options{Workers: 4}); err != nil {
					t.Fatal(err)
				}
			}
			for i := range f.Records {
				if a, b := scores[0].Decisions[i], scores[1].Decisions[i]; a != b {
					t.Errorf("%s:%d at %d-ply: GNU Backgammon %s loses %v, its nets %s lose %v",
						name, f.Records[i].Line, ply, a.Chosen, a.Loss, b.Chosen, b.Loss)
				}
			}
		}
	}
	// Its loss on each of these records, from a script of its own.
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := score.File(context.Background(), realGNUbg(t, 0), f, score.Options{Workers: 4})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 0.000111, 0.043503, 0, 0, 0, 0, 0, 0, 0.014258, 0, 0.06586} {
		if s.Decisions[i].Loss != want {
			t.Errorf("record %d: loss %v, %v expected", i, s.Decisions[i].Loss, want)
		}
	}
}

// PubEval loses 0.63 points a game and 70.9 % of the games to GNU Backgammon at
// 0-ply (10,000 games, Computational Backgammon blog); here to its nets, and to
// itself in fewer games.
func TestPubEvalAgainstGNUbg(t *testing.T) {
	for _, c := range []struct {
		p       opponents.Player
		games   int
		workers int
	}{{importedNets(t, 0, 64), 10000, 0}, {realGNUbg(t, 0), 400, 16}} {
		s := play(t, c.p, opponents.PubEval{}, Options{Games: c.games, Seed: 1, Workers: c.workers}).Summary()
		t.Logf("%s: %+.4f ± %.4f points, %.2f %% ± %.2f wins", s.A, s.Points.Mean, s.Points.SE, 100*s.Wins.Mean,
			100*s.Wins.SE)
		within := func(what string, got stats.Stat, want, wantSE float64) {
			if d := got.Mean - want; d*d > 9*(got.SE*got.SE+wantSE*wantSE) {
				t.Errorf("%s: %s %+v, %v expected", s.A, what, got, want)
			}
		}
		within("points", s.Points, 0.63, 0.013)
		within("wins", s.Wins, 0.709, 0.0045)
	}
}

// Its nets here and GNU Backgammon itself are the same player.
func TestEvenMatchAgainstGNUbg(t *testing.T) {
	p := importedNets(t, 0, 64)
	s := play(t, p, realGNUbg(t, 0), Options{Games: 200, Seed: 1, Workers: 16, Duplicate: true, Luck: p.Net}).Summary()
	t.Logf("%+.4f ± %.4f points, less luck %+.4f ± %.4f", s.Points.Mean, s.Points.SE, s.Adjusted.Mean, s.Adjusted.SE)
	if a := s.Adjusted; a.Mean*a.Mean > 9*(a.SE*a.SE+1e-6) {
		t.Errorf("less luck %+v, 0 expected", a)
	}
}

func BenchmarkScoreImportedNets(b *testing.B) {
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	p := importedNets(b, 0, 0)
	for b.Loop() {
		if _, err := score.File(context.Background(), p, f, score.Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(f.Records))/b.Elapsed().Seconds(), "decisions/s")
}
