package opponents

import (
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
)

func TestObjectiveWins(t *testing.T) {
	p := bgtest.Player(t, 3)
	m, _ := (&NetPlayer{Net: p, Objective: Wins}).NewMover()
	e := p.NewEvaluator()
	var plays bg.Plays
	differ := 0
	for _, b := range bgtest.Positions(300) {
		after, err := m.Play(&b, 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		got := e.Evaluate(&after, 0)
		for _, r := range plays.Generate(&b, 4, 2) {
			if o := e.Evaluate(&r, 0); o[bg.Win] < got[bg.Win] {
				t.Fatalf("%s: opponent wins %v, could be %v", b.Key(), got[bg.Win], o[bg.Win])
			}
		}
		if best, _ := e.BestPlay(&b, 4, 2, 0); best != after {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the objective makes no difference")
	}
}

// matchChance is the chance of the player on roll to win the match with a cube that
// is not turned any more, from the table entries of the six results of the game.
func matchChance(t *met.Table, o *bg.Outputs, away, opponent, c int, post bool) float64 {
	after := func(points int) float64 {
		if points > 0 {
			return t.At(away-points*c, opponent, post)
		}
		return t.At(away, opponent+points*c, post)
	}
	p := func(i int) float64 { return float64(o[i]) }
	return (p(bg.Win)-p(bg.WinGammon))*after(1) + (p(bg.WinGammon)-p(bg.WinBackgammon))*after(2) +
		p(bg.WinBackgammon)*after(3) + (1-p(bg.Win)-p(bg.LoseGammon))*after(-1) +
		(p(bg.LoseGammon)-p(bg.LoseBackgammon))*after(-2) + p(bg.LoseBackgammon)*after(-3)
}

// At scores where the cube is dead no legal play leaves a better chance to win the
// match, added up from the table; at one point each that is the chance to win, and
// in every state the objectives of money and wins are blind to the score.
func TestObjectiveMatch(t *testing.T) {
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	p := bgtest.Player(t, 3)
	mover := func(o Objective) *netMover {
		m, _ := (&NetPlayer{Net: p, Objective: o}).NewMover()
		return m.(*netMover)
	}
	byScore, money, wins := mover(Match), mover(Equity), mover(Wins)
	e := p.NewEvaluator()
	type score struct {
		cube.State
		post bool
	}
	states := []score{
		{cube.State{Cube: 1, Table: table, Away: 1, Opponent: 1}, true},
		{cube.State{Cube: 1, Table: table, Away: 1, Opponent: 2, Crawford: true}, true},
		{cube.State{Cube: 1, Table: table, Away: 4, Opponent: 1, Crawford: true}, true},
		{cube.State{Cube: 2, Owner: cube.Owned, Table: table, Away: 2, Opponent: 2}, false},
		{cube.State{Cube: 2, Owner: cube.OpponentOwned, Table: table, Away: 4, Opponent: 1}, true},
		{cube.State{Cube: 4, Owner: cube.OpponentOwned, Table: table, Away: 7, Opponent: 3}, false},
		{cube.State{Cube: 8, Owner: cube.OpponentOwned, Table: table, Away: 15, Opponent: 8}, false},
	}
	var plays bg.Plays
	notMoney, notWins := 0, 0
	for i, b := range bgtest.Positions(400) {
		s := &states[i%len(states)]
		got, err := byScore.PlayAt(&b, 6, 1, &s.State, cube.Janowski{Life: 0.7, Opponent: 0.7})
		if err != nil {
			t.Fatal(err)
		}
		chance := func(r *bg.Board) float64 {
			theirs := e.Evaluate(r, 0)
			o := theirs.Inverted()
			return matchChance(table, &o, s.Away, s.Opponent, s.Cube, s.post)
		}
		dead := s.Away <= s.Cube && s.Opponent <= s.Cube || s.Crawford
		for _, r := range plays.Generate(&b, 6, 1) {
			if dead && chance(&r) > chance(&got)+1e-6 {
				t.Fatalf("%s at %+v: %v, could be %v", b.Key(), *s, chance(&got), chance(&r))
			}
		}
		m, err := money.PlayAt(&b, 6, 1, &s.State, cube.Dead{})
		if best, _ := e.BestPlay(&b, 6, 1, 0); err != nil || m != best {
			t.Errorf("%s: not the play for money, %v", b.Key(), err)
		}
		w, err := wins.PlayAt(&b, 6, 1, &s.State, cube.Dead{})
		if after, e := wins.Play(&b, 6, 1); err != nil || e != nil || w != after {
			t.Errorf("%s: not the play for wins, %v %v", b.Key(), err, e)
		}
		if i%len(states) == 0 && chance(&w) > chance(&got)+1e-6 {
			t.Errorf("%s at one point each: %v, for wins %v", b.Key(), chance(&got), chance(&w))
		}
		if m != got {
			notMoney++
		}
		if w != got {
			notWins++
		}
	}
	if notMoney < 20 || notWins < 20 {
		t.Errorf("the score changed %d plays from those for money, %d from those for wins", notMoney, notWins)
	}
}
