package analyze

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/protocol"
)

// played returns a match in which choose makes the plays of both sides, and nobody
// doubles.
func played(t *testing.T, length int, choose func(b *bg.Board, d1, d2 int) bg.Board) *matchfile.Match {
	t.Helper()
	rec, err := matchfile.NewRecorder(&matchfile.Match{Players: [2]string{"a", "b"}, Length: length})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for games := 0; games < 2 && rec.Winner() == matchfile.None; games++ {
		if err := rec.BeginGame(); err != nil {
			t.Fatal(err)
		}
		for turn := 0; rec.Playing(); turn = 1 - turn {
			b, _, _ := rec.Position()
			d1, d2 := 1+rng.IntN(6), 1+rng.IntN(6)
			if err := rec.Roll(turn, d1, d2, choose(&b, d1, d2)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return rec.Match()
}

// TestPlaysAtTheLastPoint: where both sides need one point, what a play loses is
// twice the chance to win, and gammons do not count; by money they do.
func TestPlaysAtTheLastPoint(t *testing.T) {
	p, s := testPlayer(t)
	s.Candidates = 3
	ev := p.NewEvaluator()
	rng := rand.New(rand.NewPCG(5, 6))
	m := played(t, 1, func(b *bg.Board, d1, d2 int) bg.Board {
		plays := ev.Plays(b, d1, d2, 0)
		return plays[rng.IntN(min(4, len(plays)))].Result
	})
	check := func(money bool, worth func(o *bg.Outputs) float64) (total float64) {
		if s.By = byMatch; money {
			s.By = byMoney
		}
		a, err := Match(context.Background(), p, m, s)
		if err != nil {
			t.Fatal(err)
		}
		players := &a.Players
		n := 0
		for i := range players {
			for k := range players[i].Score.File.Records {
				r := &players[i].Score.File.Records[k]
				b, err := r.Key.Board()
				if err != nil {
					t.Fatal(err)
				}
				values := map[bg.Key]float64{}
				best := math.Inf(-1)
				for _, c := range ev.Plays(&b, r.Dice[0], r.Dice[1], 0) {
					values[c.Result.Key()] = worth(&c.Outputs)
					best = max(best, worth(&c.Outputs))
				}
				for _, c := range r.Candidates {
					if off := math.Abs(c.Loss - (best - values[c.Key])); off > 1e-5 {
						t.Fatalf("money %t: %s loses %g, %g expected", money, c.Key, c.Loss, best-values[c.Key])
					}
				}
				n++
			}
			total += players[i].Score.Summary().Total
		}
		if n < 10 {
			t.Errorf("%d decisions", n)
		}
		return total
	}
	match := check(false, func(o *bg.Outputs) float64 { return 2*float64(o[bg.Win]) - 1 })
	money := check(true, func(o *bg.Outputs) float64 { return float64(o.Equity()) })
	if match == money {
		t.Errorf("%g lost by either", match)
	}
}

// TestPlaysAtAScore: what plays by the score is judged without an error by it, and
// with some for money.
func TestPlaysAtAScore(t *testing.T) {
	p, s := testPlayer(t)
	brain := &protocol.Brain{Evaluator: p.NewEvaluator(), Model: s.Model, Table: s.Table}
	state, err := brain.State(2, 2, 1, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	m := played(t, 2, func(b *bg.Board, d1, d2 int) bg.Board { return brain.Play(b, d1, d2, &state) })
	m.Games = m.Games[:1] // the state is that of the first
	lost := map[bool]float64{}
	for _, money := range []bool{false, true} {
		if s.By = byMatch; money {
			s.By = byMoney
		}
		a, err := Match(context.Background(), p, m, s)
		if err != nil {
			t.Fatal(err)
		}
		players := &a.Players
		lost[money] = players[0].Score.Summary().Total + players[1].Score.Summary().Total
	}
	if lost[false] > 1e-6 || !(lost[true] > 0) {
		t.Errorf("points lost by the score %g, for money %g", lost[false], lost[true])
	}
}
