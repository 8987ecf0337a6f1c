package score

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bg"
)

// script plays what a table says, by position key and dice.
type script struct {
	plays map[string]bg.Key
	fail  error
}

func (s script) Name() string                       { return "script" }
func (s script) NewMover() (opponents.Mover, error) { return s, nil }
func (s script) Play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	if s.fail != nil {
		return bg.Board{}, s.fail
	}
	k, ok := s.plays[b.Key().String()]
	if !ok {
		k = bg.Start.Key()
	}
	return k.Board()
}

// choosing plays the given candidate of each record; -1 is none of them.
func choosing(f *bm.File, candidates ...int) script {
	s := script{plays: map[string]bg.Key{}}
	for i, c := range candidates {
		if r := &f.Records[i]; c >= 0 {
			s.plays[r.Key.String()] = r.Candidates[c].Key
		}
	}
	return s
}

func TestScore(t *testing.T) {
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f.Records = f.Records[:4] // losses of 4, 2, 5, 4 candidates
	s, err := File(context.Background(), choosing(f, 0, 1, -1, 2), f, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := []Decision{
		{f.Records[0].Candidates[0].Key, 0, false},
		{f.Records[1].Candidates[1].Key, 0.000111, false},
		{bg.Start.Key(), 0.101208, true},
		{f.Records[3].Candidates[2].Key, 0.059761, false},
	}
	if !reflect.DeepEqual(s.Decisions, want) {
		t.Errorf("decisions %+v", s.Decisions)
	}
	sum := s.Summary()
	total := 0.000111 + 0.101208 + 0.059761
	mean := total / 4
	sd := math.Sqrt((mean*mean + sq(0.000111-mean) + sq(0.101208-mean) + sq(0.059761-mean)) / 3)
	if sum.Decisions != 4 || sum.Wrong != 3 || sum.Out != 1 || math.Abs(sum.Total-total) > 1e-12 ||
		math.Abs(sum.ER.Mean-1000*mean) > 1e-9 || math.Abs(sum.ER.SE-1000*sd/2) > 1e-9 {
		t.Errorf("summary %+v", sum)
	}
	var b bytes.Buffer
	if err := s.WriteLosses(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if len(lines) != 5 || lines[2] != "JONLBLAAAAMMNOAGAIDA 6 2 OAHDPAABDAOAHDPAABDA 0.101208 out" {
		t.Errorf("losses:\n%s", b.String())
	}
}

func sq(x float64) float64 { return x * x }

func TestScoreDoesNotDependOnWorkers(t *testing.T) {
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for len(f.Records) < 500 {
		f.Records = append(f.Records, f.Records...)
	}
	for _, p := range []opponents.Player{opponents.PubEval{}, opponents.Random{}} {
		var first *Score
		for _, workers := range []int{1, 2, 7} {
			done := 0
			s, err := File(context.Background(), p, f, Options{workers, func(n, _ int) { done = n }})
			if err != nil {
				t.Fatal(err)
			}
			if done != len(f.Records) {
				t.Errorf("progress ended at %d of %d", done, len(f.Records))
			}
			if first == nil {
				first = s
			} else if !reflect.DeepEqual(first.Decisions, s.Decisions) {
				t.Errorf("%s: %d workers decide differently", p.Name(), workers)
			}
		}
	}
}

func TestScoreErrors(t *testing.T) {
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wrong := errors.New("broken")
	_, err = File(context.Background(), script{fail: wrong}, f, Options{})
	if !errors.Is(err, wrong) || !strings.HasPrefix(err.Error(), "../bm/testdata/contact.bm:6: ") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := File(ctx, opponents.PubEval{}, f, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestCompare(t *testing.T) {
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f.Records = f.Records[:4]
	score := func(c ...int) *Score {
		s, err := File(context.Background(), choosing(f, c...), f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	c, err := Compare(score(0, 1, 1, 2), score(1, 1, 0, 3))
	if err != nil {
		t.Fatal(err)
	}
	want := (-0.033289 + 0.043503 + (0.059761 - 0.124223)) / 4
	if math.Abs(c.Difference.Mean-1000*want) > 1e-9 || c.Same != 1 || c.Better != 2 || c.Worse != 1 {
		t.Errorf("%+v", c)
	}
	if got := c.Largest(2); !reflect.DeepEqual(got, []int{3, 2}) {
		t.Errorf("largest differences at %v", got)
	}
	if got := c.Largest(100); len(got) != 3 {
		t.Errorf("%d differences", len(got))
	}
	if got := c.A.Worst(1); !reflect.DeepEqual(got, []int{3}) {
		t.Errorf("worst %v", got)
	}
	if _, err := Compare(c.A, &Score{File: &bm.File{Name: "x"}}); err == nil {
		t.Error("scores on different files were compared")
	}
}

func TestGroupsCoverEveryRecordOnce(t *testing.T) {
	for _, name := range []string{"../bm/testdata/contact.bm", "../bm/testdata/crashed.bm"} {
		f, err := bm.ReadFile(name, bm.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, gs := range [][]Group{PlanGroups(f), ResultGroups(f)} {
			for i := range f.Records {
				n := 0
				for _, g := range gs {
					if g.Include(i) {
						n++
					}
				}
				if n != 1 {
					t.Errorf("%s: record %d is in %d groups", name, i, n)
				}
			}
		}
	}
}
