package rollout

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/cube"
)

// What is watched ends with what is not, whatever the number of workers, and is shown as it
// grows; an error of who looks ends it.
func TestWatchedIsTheSame(t *testing.T) {
	p := bgtest.Player(t, 3)
	o := DefaultOptions()
	o.Trials, o.Truncate, o.Seed = 200, 3, 5
	looks, fewest := []int{36, 72, 108, 144, 180, 200}, 1
	if testing.Short() {
		o.Trials, looks, fewest = 40, []int{36, 40}, 3
	}
	e, err := NewEngine(p, o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCubeEngine(p, o, cube.Handling{Model: cube.GNUbg{}})
	if err != nil {
		t.Fatal(err)
	}
	var plays bg.Plays
	start := bg.Start
	after := append([]bg.Board(nil), plays.Generate(&start, 3, 1)[:3]...)
	money, stop := cube.Money, errors.New("enough")
	for name, f := range map[string]func(workers int, look func(trials int) error) (plain, watched any, err error){
		"positions": func(workers int, look func(int) error) (any, any, error) {
			plain, err := e.Compare(t.Context(), after, start.Key(), Watch[[]Compared]{Workers: 1})
			if err != nil {
				return nil, nil, err
			}
			watched, err := e.Compare(t.Context(), after, start.Key(), Watch[[]Compared]{Workers: workers,
				Look: func(all []Compared) error { return look(all[2].Trials) }})
			return plain, watched, err
		},
		"one": func(workers int, look func(int) error) (any, any, error) {
			plain, err := e.Rollout(t.Context(), &start, 2, nil)
			if err != nil {
				return nil, nil, err
			}
			watched, err := e.Compare(t.Context(), []bg.Board{start}, start.Key(), Watch[[]Compared]{Workers: workers,
				Look: func(all []Compared) error { return look(all[0].Trials) }})
			if err != nil {
				return nil, nil, err
			}
			return plain, watched[0].Result, nil
		},
		"decision": func(workers int, look func(int) error) (any, any, error) {
			plain, err := c.Decide(t.Context(), &start, &money, Watch[*CubeDecision]{Workers: 1})
			if err != nil {
				return nil, nil, err
			}
			watched, err := c.Decide(t.Context(), &start, &money, Watch[*CubeDecision]{Workers: workers,
				Look: func(d *CubeDecision) error { return look(d.Trials) }})
			return plain, watched, err
		},
		"plays": func(workers int, look func(int) error) (any, any, error) {
			plain, err := c.Plays(t.Context(), after, &money, start.Key(), Watch[[]CubePlay]{Workers: 1})
			if err != nil {
				return nil, nil, err
			}
			watched, err := c.Plays(t.Context(), after, &money, start.Key(), Watch[[]CubePlay]{Workers: workers,
				Look: func(all []CubePlay) error { return look(all[0].Trials) }})
			return plain, watched, err
		},
	} {
		for workers := fewest; workers <= 3; workers += 2 {
			var seen []int
			plain, watched, err := f(workers, func(n int) error { seen = append(seen, n); return nil })
			if err != nil || !reflect.DeepEqual(plain, watched) {
				t.Errorf("%s: %+v, watched %+v, %v", name, plain, watched, err)
			}
			if !slices.Equal(seen, looks) {
				t.Errorf("%s: looked at %v", name, seen)
			}
		}
		if _, _, err := f(2, func(int) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Compare(ctx, after, start.Key(), Watch[[]Compared]{Workers: 2}); err == nil {
		t.Error("not canceled")
	}
}
