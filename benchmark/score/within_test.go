package score

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
)

// values evaluates by a table of equities, of the player on roll.
type values struct {
	script
	of map[bg.Key]float64
}

func (v values) NewMover() (opponents.Mover, error) { return v, nil }
func (v values) Evaluate(b *bg.Board) (bg.Outputs, error) {
	if v.fail != nil {
		return bg.Outputs{}, v.fail
	}
	return bg.Outputs{bg.Win: float32((v.of[b.Key()] + 1) / 2)}, nil
}

// wrongBy gives every candidate of f the file's equity and an error besides.
func wrongBy(f *bm.File, wrong func(record, candidate int) float64) values {
	v := values{of: map[bg.Key]float64{}}
	for i, r := range f.Records {
		for k, c := range r.Candidates {
			v.of[c.Key] = -(r.BestEquity - c.Loss + wrong(i, k))
		}
	}
	return v
}

// threeRecords has decisions of 4, 2 and 5 candidates, and one without a choice.
func threeRecords(t *testing.T) *bm.File {
	t.Helper()
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f.Records = f.Records[:4]
	f.Records[3].Candidates = f.Records[3].Candidates[:1]
	return f
}

func equities(t *testing.T, p opponents.Player, f *bm.File) *EquityErrors {
	t.Helper()
	e, err := Equities(context.Background(), p, f, Options{Workers: 2})
	if err != nil || e == nil {
		t.Fatal(e, err)
	}
	return e
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

func TestEquities(t *testing.T) {
	f := threeRecords(t)
	table := [][]float64{{0.1, 0.1, 0.1, 0.3}, {0.2, 0.4}, {0, 0, -0.1, 0.1, 0}, {2}}
	got := equities(t, wrongBy(f, func(i, k int) float64 { return table[i][k] }), f).Summary()
	// By hand. Squares: 0.03 + 0.09, 0.04 + 0.16, 0.02, of 11 candidates. Means 0.15, 0.3
	// and 0, so within: 3·0.0025 + 0.0225 = 0.03 of 3, 0.02 of 1, 0.02 of 4.
	want := EquityError{Decisions: 3, Candidates: 11, RMS: math.Sqrt(0.34 / 11), Within: math.Sqrt(0.07 / 8)}
	se := func(a, b, c float64) float64 {
		m := (a + b + c) / 3
		return math.Sqrt((sq(a-m) + sq(b-m) + sq(c-m)) * 2 / 3)
	}
	want.RMSSE = se(math.Sqrt(0.22/7), math.Sqrt(0.14/9), math.Sqrt(0.32/6))
	want.WithinSE = se(math.Sqrt(0.04/5), math.Sqrt(0.05/7), math.Sqrt(0.05/4))
	if got.Decisions != want.Decisions || got.Candidates != want.Candidates || !near(got.RMS, want.RMS) ||
		!near(got.Within, want.Within) || !near(got.RMSSE, want.RMSSE) || !near(got.WithinSE, want.WithinSE) {
		t.Errorf("%+v\n%+v expected", got, want)
	}
}

// What the candidates of a decision share is no error within it.
func TestWithinIgnoresWhatIsShared(t *testing.T) {
	f := threeRecords(t)
	uneven := func(i, k int) float64 { return 0.01 * float64((3*i+2*k)%5) }
	shift := []float64{0.3, -0.2, 0.05, 0}
	plain := equities(t, wrongBy(f, uneven), f)
	shifted := equities(t, wrongBy(f, func(i, k int) float64 { return uneven(i, k) + shift[i] }), f)
	a, b := plain.Summary(), shifted.Summary()
	if !near(a.Within, b.Within) || !near(a.WithinSE, b.WithinSE) || a.Within == 0 || b.RMS < a.RMS+0.1 {
		t.Errorf("%+v, shifted %+v", a, b)
	}
	if d := plain.WithinLess(shifted, func(int) bool { return true }); !near(d.Mean, 0) || !near(d.SE, 0) {
		t.Errorf("difference %+v", d)
	}
}

func TestEquitiesOfAPerfectPlayer(t *testing.T) {
	f := threeRecords(t)
	perfect := equities(t, wrongBy(f, func(int, int) float64 { return 0 }), f)
	if s := perfect.Summary(); !near(s.RMS, 0) || !near(s.Within, 0) || !near(s.WithinSE, 0) {
		t.Errorf("%+v", s)
	}
	// Its difference from another is that one's error, with its standard error.
	other := equities(t, wrongBy(f, func(i, k int) float64 { return 0.01 * float64(i+k*k) }), f)
	s := other.Summary()
	if d := other.WithinLess(perfect, func(int) bool { return true }); !near(d.Mean, s.Within) ||
		!near(d.SE, s.WithinSE) {
		t.Errorf("%+v, %+v expected", d, s)
	}
	if s := perfect.SummaryOf(func(int) bool { return false }); s != (EquityError{}) {
		t.Errorf("of nothing: %+v", s)
	}
}

// Parts add up to the whole, and one decision has no standard error.
func TestEquitiesOfParts(t *testing.T) {
	f := threeRecords(t)
	e := equities(t, wrongBy(f, func(i, k int) float64 { return 0.01 * float64(i+k*k) }), f)
	squares, freedom := 0.0, 0
	for part := range f.Records {
		s := e.SummaryOf(func(i int) bool { return i == part })
		if s.RMSSE != 0 || s.WithinSE != 0 {
			t.Errorf("record %d: %+v", part, s)
		}
		squares += s.Within * s.Within * float64(s.Candidates-s.Decisions)
		freedom += s.Candidates - s.Decisions
	}
	if s := e.Summary(); freedom != 8 || !near(s.Within, math.Sqrt(squares/8)) {
		t.Errorf("%+v, parts %v of %d", s, squares, freedom)
	}
}

func TestEquitiesDoNotDependOnWorkers(t *testing.T) {
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for len(f.Records) < 300 {
		f.Records = append(f.Records, f.Records...)
	}
	p := &opponents.NetPlayer{Net: bgtest.Player(t, 1)}
	var first *EquityErrors
	for _, workers := range []int{1, 2, 7} {
		done := 0
		e, err := Equities(context.Background(), p, f, Options{workers, func(n, _ int) { done = n }})
		if err != nil || done != len(f.Records) {
			t.Fatal(done, err)
		}
		if first == nil {
			first = e
		} else if !reflect.DeepEqual(first, e) {
			t.Errorf("%d workers find other errors", workers)
		}
	}
}

// A record's candidates are evaluated with the opponent on roll, at the player's ply.
func TestEquitiesAtPly(t *testing.T) {
	f := threeRecords(t)
	for ply := range 2 {
		p := &opponents.NetPlayer{Net: bgtest.Player(t, 1), Ply: ply}
		ev := p.Net.NewEvaluator()
		for i := range f.Records {
			r := &f.Records[i]
			for k := range r.Candidates {
				b, err := r.Candidates[k].Key.Board()
				if err != nil {
					t.Fatal(err)
				}
				o := ev.Evaluate(&b, ply)
				mine := o.Inverted()
				if k == 0 {
					r.BestEquity = float64(mine.Equity())
				}
				r.Candidates[k].Loss = r.BestEquity - float64(mine.Equity())
			}
		}
		if s := equities(t, p, f).Summary(); s.RMS > 1e-6 {
			t.Errorf("%d-ply against itself: %+v", ply, s)
		}
	}
}

func TestEquitiesWithoutThem(t *testing.T) {
	f := threeRecords(t)
	if e, err := Equities(context.Background(), opponents.PubEval{}, f, Options{}); e != nil || err != nil {
		t.Errorf("%v, %v", e, err)
	}
	wrong := errors.New("broken")
	_, err := Equities(context.Background(), values{script: script{fail: wrong}}, f, Options{})
	if !errors.Is(err, wrong) || !strings.HasPrefix(err.Error(), "../bm/testdata/contact.bm:6: ") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Equities(ctx, &opponents.NetPlayer{Net: bgtest.Player(t, 1)}, f,
		Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
