//go:build integration

package makebm

import (
	_ "embed"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/gnubgtest"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/rollout"
)

//go:embed testdata/losses.py
var lossesScript string

func gnubgNets(t *testing.T) *player.Player {
	t.Helper()
	f, err := nets.Read(gnubgtest.Weights(t))
	if err != nil {
		t.Fatal(err)
	}
	db, err := bearoff.Open(t.Context(), bearoff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := player.New(f, db, player.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// equityOf returns the 0-ply equity of a position to the player on roll.
func equityOf(t *testing.T, p *player.Player, key string) float64 {
	t.Helper()
	b, err := bg.ParsePosition(key)
	if err != nil {
		t.Fatal(err)
	}
	o := p.NewEvaluator().Evaluate(&b, 0)
	return equity(&o)
}

// A file that was made here gives a player the same score in our reading and in
// one that shares nothing with it: a script inside GNU Backgammon reads the file,
// applies GNU Backgammon's plays and looks their losses up; our score has its nets
// choose. Play by play both must lose the same. Left out are records where they
// play differently and the plays are worth the same to those nets: in hopeless
// positions to the last bit, elsewhere as near as the approximate reciprocals of
// processors are.
func TestGNUbgReadsTheSameScores(t *testing.T) {
	p := gnubgNets(t)
	fresh := filepath.Join(t.TempDir(), "fresh.bm")
	engine := newEngine(t, p, func(o *rollout.Options) { o.Trials, o.Truncate = 36, 2 })
	s := small(2)
	s.SetQuota(30, Classes)
	j := openJournal(t, filepath.Join(t.TempDir(), "journal"))
	records, _, err := Make(t.Context(), p, rollouts(engine, 0), s, Hooks{Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Remove(); err != nil {
		t.Fatal(err)
	}
	if err := writeRecords(fresh, records); err != nil {
		t.Fatal(err)
	}
	const shipped = "../../data/benchmarks/"
	paths := []string{fresh, shipped + "contact.bm", shipped + "crashed.bm", shipped + "race.bm"}
	if testing.Short() {
		paths = paths[:2]
	}
	for _, path := range paths {
		f, err := bm.ReadFile(path, bm.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		ours, err := score.File(t.Context(), &opponents.NetPlayer{Net: p, Label: "imported"}, f,
			score.Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		said := gnubgtest.Run(t, "", lossesScript, "BM="+absolute)
		lines := strings.Split(strings.TrimSuffix(said, "\n"), "\n")
		if len(lines) != len(f.Records) {
			t.Fatalf("%s: %d records here, %d there", path, len(f.Records), len(lines))
		}
		var here, there float64 // losses where both play the same
		same, out := 0, 0
		// Hidden units may be 4e-4 off where the processor's reciprocals are others, which
		// adds up to a thousandth of a point in some position of thousands.
		const near = 2e-3
		for i, line := range lines {
			r, d := &f.Records[i], &ours.Decisions[i]
			var key, chosen string
			var dice [2]int
			var listed int
			var loss float64
			if _, err := fmt.Sscan(line, &key, &dice[0], &dice[1], &chosen, &listed, &loss); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if key != r.Key.String() || dice != r.Dice {
				t.Fatalf("%s: record %d is %s %v here, %s %v there", path, i, r.Key, r.Dice, key, dice)
			}
			if gap := equityOf(t, p, chosen) - equityOf(t, p, d.Chosen.String()); chosen != d.Chosen.String() &&
				math.Abs(gap) < near {
				continue // worth the same to it
			}
			same++
			here, there = here+d.Loss, there+loss
			if d.Out {
				out++
			}
			if chosen != d.Chosen.String() || d.Out != (listed == 0) || math.Abs(d.Loss-loss) > 1e-9 {
				t.Errorf("%s: %s %v: %s loses %v here, %s loses %v there", path, r.Key, r.Dice, d.Chosen, d.Loss,
					chosen, loss)
			}
		}
		t.Logf("%s: the same play in %d records of %d, %d of them no candidate; ER of these %.4f here, %.4f there",
			filepath.Base(path), same, len(lines), out, 1000*here/float64(same), 1000*there/float64(same))
		if same < len(lines)*98/100 {
			t.Errorf("%s: the same play in %d records of %d", path, same, len(lines))
		}
	}
}
