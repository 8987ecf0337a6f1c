package match

import (
	"context"
	"errors"
	"math"
	"reflect"
	"sync"
	"testing"

	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

func play(t *testing.T, a, b opponents.Player, o Options) *Match {
	t.Helper()
	m, err := Play(context.Background(), a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Games) != o.Games {
		t.Fatalf("%d games of %d", len(m.Games), o.Games)
	}
	return m
}

func TestMatchDoesNotDependOnWorkers(t *testing.T) {
	for _, dup := range []bool{false, true} {
		var first []Game
		for _, workers := range []int{1, 2, 7} {
			m := play(t, opponents.PubEval{}, opponents.Random{},
				Options{Games: 40, Seed: 5, Workers: workers, Duplicate: dup})
			if first == nil {
				first = m.Games
			} else if !reflect.DeepEqual(first, m.Games) {
				t.Errorf("duplicate %v: %d workers play other games", dup, workers)
			}
		}
		m := play(t, opponents.PubEval{}, opponents.Random{}, Options{Games: 40, Seed: 6, Duplicate: dup})
		if reflect.DeepEqual(first, m.Games) {
			t.Error("another seed gives the same games")
		}
	}
}

func TestDuplicateDiceAreFair(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	for _, p := range []opponents.Player{opponents.PubEval{}, opponents.Random{}} {
		m := play(t, p, p, Options{Games: 100, Seed: 3, Duplicate: true})
		s := m.Summary()
		if s.Points.Mean != 0 || s.Points.SE != 0 || s.Wins.Mean != 0.5 || s.Wins.SE != 0 ||
			s.Gammons != s.GammonsLost {
			t.Errorf("%s against itself: %+v", p.Name(), s)
		}
	}
	if _, err := Play(context.Background(), opponents.PubEval{}, opponents.PubEval{},
		Options{Games: 3, Duplicate: true}); err == nil {
		t.Error("three games with duplicate dice")
	}
}

func TestSeatsAlternate(t *testing.T) {
	// With the same dice, even and odd games differ in who begins.
	m := play(t, opponents.PubEval{}, opponents.PubEval{}, Options{Games: 2, Seed: 1, Duplicate: true})
	if m.Games[0].Points != -m.Games[1].Points || m.Games[0].Turns != m.Games[1].Turns {
		t.Errorf("%+v", m.Games)
	}
}

func TestPubEvalBeatsRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	s := play(t, opponents.PubEval{}, opponents.Random{}, Options{Games: 300, Seed: 1}).Summary()
	if s.Wins.Mean < 0.97 || s.Points.Mean < 1.8 {
		t.Errorf("%+v", s)
	}
}

func TestMatchSummary(t *testing.T) {
	m := &Match{A: "a", B: "b", Games: []Game{
		{0, Outcome{Points: 3, Cube: 1, Turns: 40}},
		{1, Outcome{Points: 1, Cube: 1, Turns: 50}},
		{2, Outcome{Points: -2, Cube: 1, Turns: 60}},
		{4, Outcome{Points: 2, Cube: 1, Turns: 50}},
	}}
	s := m.Summary()
	if s.Games != 4 || s.Points.Mean != 1 || math.Abs(s.Points.SE-math.Sqrt((4+0+9+1)/3.0)/2) > 1e-12 {
		t.Errorf("points %+v", s.Points)
	}
	if s.Wins.Mean != 0.75 || s.Gammons.Mean != 0.5 || s.Backgammons.Mean != 0.25 || s.GammonsLost.Mean != 0.25 ||
		s.BackgammonsLost.Mean != 0 {
		t.Errorf("%+v", s)
	}
	if s.Adjusted != nil || s.Cube != nil || s.Turns.Mean != 50 {
		t.Errorf("%+v", s)
	}
	// A quarter of a game more than half, won with 25 moves: 10 thousandths each.
	if r := s.ErrorRating; r == nil || r.Mean != -10 || math.Abs(r.SE-40*s.Wins.SE) > 1e-12 {
		t.Errorf("error rating %+v", r)
	}
	// In pairs: games 0 and 1; games 2 and 4 lack their partners.
	m.opts.Duplicate = true
	if s := m.Summary(); s.Games != 2 || s.Points.Mean != 2 || s.UnpairedLeftOut != 2 {
		t.Errorf("%+v", s)
	}
	// A gammon with the cube on 2, and a pass on 2.
	m = &Match{Games: []Game{{0, Outcome{Points: 4, Cube: 2}}, {1, Outcome{Points: -2, Cube: 2, Passed: true}}}}
	m.opts.Cube = &[2]cube.Model{cube.Dead{}, cube.Dead{}}
	if s := m.Summary(); s.Gammons.Mean != 0.5 || s.GammonsLost.Mean != 0 || s.Passes.Mean != 0.5 || s.Cube.Mean != 2 {
		t.Errorf("%+v", s)
	}
}

func TestMatchGoesOn(t *testing.T) {
	o := Options{Games: 20, Seed: 9, Workers: 2}
	whole := play(t, opponents.PubEval{}, opponents.Random{}, o)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var kept []Game
	o.Record = func(g Game) error {
		if kept = append(kept, g); len(kept) == 7 {
			cancel()
		}
		return nil
	}
	m, err := Play(ctx, opponents.PubEval{}, opponents.Random{}, o)
	if !errors.Is(err, context.Canceled) || len(m.Games) != len(kept) || len(kept) < 7 {
		t.Fatalf("%v, %d games, %d recorded", err, len(m.Games), len(kept))
	}
	o.Finished, o.Record = kept, nil
	if m := play(t, opponents.PubEval{}, opponents.Random{}, o); !reflect.DeepEqual(m.Games, whole.Games) {
		t.Error("the interrupted match went on with other games")
	}
}

// dying plays like PubEval until its last play.
type dying struct {
	mu   sync.Mutex
	left int
}

var errDead = errors.New("dead")

func (d *dying) Name() string                       { return "dying" }
func (d *dying) NewMover() (opponents.Mover, error) { return d, nil }
func (d *dying) Play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left--; d.left < 0 {
		return bg.Board{}, errDead
	}
	m, _ := opponents.PubEval{}.NewMover()
	return m.Play(b, d1, d2)
}

func TestPlayerThatDies(t *testing.T) {
	m, err := Play(context.Background(), opponents.PubEval{}, &dying{left: 500}, Options{Games: 100, Workers: 2})
	if !errors.Is(err, errDead) || len(m.Games) < 5 || len(m.Games) > 50 {
		t.Errorf("%v, %d games", err, len(m.Games))
	}
}

func TestCubeNeedsOutputs(t *testing.T) {
	if _, err := Play(context.Background(), opponents.PubEval{}, opponents.PubEval{},
		Options{Games: 2, Cube: &[2]cube.Model{cube.Dead{}, cube.Dead{}}}); err == nil {
		t.Error("PubEval handled the cube")
	}
}

// knowing plays like PubEval and says it wins with a fixed chance.
type knowing struct{ win float32 }

func (k knowing) Name() string { return "knowing" }
func (k knowing) NewMover() (opponents.Mover, error) {
	m, err := opponents.PubEval{}.NewMover()
	return knowingMover{m, k.win}, err
}

type knowingMover struct {
	opponents.Mover
	win float32
}

func (k knowingMover) Evaluate(*bg.Board) (bg.Outputs, error) { return bg.Outputs{k.win}, nil }

func TestCube(t *testing.T) {
	cube := &[2]cube.Model{cube.Janowski{Life: 0.68, Opponent: 0.68}, cube.Janowski{Life: 0.68, Opponent: 0.68}}
	// Both think that whoever is on roll is far ahead: the first to roll again
	// doubles and wins a point.
	m := play(t, knowing{0.9}, knowing{0.9}, Options{Games: 2, Seed: 1, Cube: cube})
	for i, g := range m.Games {
		want := Game{i, Outcome{Points: []int{-1, 1}[i], Cube: 1, Passed: true, Turns: 1}}
		if g != want {
			t.Errorf("%+v, %+v expected", g, want)
		}
	}
	// At 70 % the first double is right and taken; the taker, who has 70 % on his
	// turn, keeps the cube.
	m = play(t, knowing{0.7}, knowing{0.7}, Options{Games: 20, Seed: 1, Cube: cube})
	for _, g := range m.Games {
		if g.Cube != 2 || g.Passed || g.Points%2 != 0 {
			t.Errorf("%+v", g)
		}
	}
	// Nobody doubles at 50 %.
	plain := play(t, opponents.PubEval{}, opponents.PubEval{}, Options{Games: 20, Seed: 1})
	m = play(t, knowing{0.5}, knowing{0.5}, Options{Games: 20, Seed: 1, Cube: cube})
	if !reflect.DeepEqual(m.Games, plain.Games) {
		t.Error("an unused cube changed the games")
	}
}
