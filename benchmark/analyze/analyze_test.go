package analyze

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"bgtrain/data"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
	"bgtrain/internal/protocol"
)

func testPlayer(t *testing.T) (*player.Player, Settings) {
	t.Helper()
	set, _, err := data.Net("td")
	if err != nil {
		t.Fatal(err)
	}
	p, err := player.New(set, nil, player.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	return p, Settings{Candidates: 4, Model: cube.GNUbg{}, Table: table, Workers: 1}
}

// TestAnalyzeRecorded judges a match that GNU Backgammon played. Its plays are
// about as good as the net's: most lose nothing, and none are illegal.
func TestAnalyzeRecorded(t *testing.T) {
	p, s := testPlayer(t)
	ms, err := matchfile.ReadAll("../../dataset/matchfile/testdata/gnubg.mat")
	if err != nil {
		t.Fatal(err)
	}
	one, err := Match(context.Background(), p, ms[0], s)
	if err != nil {
		t.Fatal(err)
	}
	plays := 0
	for i := range ms[0].Games {
		for _, a := range ms[0].Games[i].Actions {
			if a.Kind == matchfile.Play {
				plays++
			}
		}
	}
	judged := 0
	for i := range one.Players {
		p := &one.Players[i]
		sum := p.Score.Summary()
		judged += sum.Decisions + p.Forced
		if sum.ER.Mean <= 0 || sum.ER.Mean > 40 || sum.Wrong > sum.Decisions/2 || p.Cubes == 0 || p.Close > p.Cubes ||
			sum.Decisions != p.Plays || math.Abs(sum.Total-p.PlayLoss) > 1e-9 {
			t.Errorf("%s: %+v, %+v", p.Name, sum, p.Sum)
		}
		var games Sum
		for g := range one.Games {
			games.merge(&one.Games[g][i])
		}
		if games.Plays != p.Plays || games.Close != p.Close || math.Abs(games.Luck-p.Luck) > 1e-9 {
			t.Errorf("%s: by game %+v, in all %+v", p.Name, games, p.Sum)
		}
	}
	if judged != plays {
		t.Errorf("%d plays judged, %d made", judged, plays)
	}
	s.Workers = 4
	four, err := Match(context.Background(), p, ms[0], s)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one.Decisions, four.Decisions) || !reflect.DeepEqual(one.Games, four.Games) {
		t.Error("another result with four workers")
	}
}

// TestAnalyzeItself lets the net play a game and judge it: it finds no error, and
// all of a player who always makes the worst play.
func TestAnalyzeItself(t *testing.T) {
	p, s := testPlayer(t)
	brain := &protocol.Brain{Evaluator: p.NewEvaluator(), Model: s.Model, Table: s.Table}
	rec, err := matchfile.NewRecorder(&matchfile.Match{Players: [2]string{"best", "worst"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.BeginGame(); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for turn := 0; rec.Playing(); turn = 1 - turn {
		b, _, _ := rec.Position()
		d1, d2 := 1+rng.IntN(6), 1+rng.IntN(6)
		plays := brain.Evaluator.Plays(&b, d1, d2, 0)
		choice := plays[0].Result
		if turn == 1 {
			choice = plays[len(plays)-1].Result
		}
		if err := rec.Roll(turn, d1, d2, choice); err != nil {
			t.Fatal(err)
		}
	}
	s.Model = nil // and so the plays are judged without the cube, as they were chosen
	a, err := Match(context.Background(), p, rec.Match(), s)
	if err != nil {
		t.Fatal(err)
	}
	players := &a.Players
	best, worst := players[0].Score.Summary(), players[1].Score.Summary()
	if best.Total > 1e-6 || worst.ER.Mean < 100 || math.IsNaN(worst.Total) {
		t.Errorf("the net judges its own plays %+v, the worst ones %+v", best, worst)
	}
}
