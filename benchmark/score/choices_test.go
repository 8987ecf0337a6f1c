package score

import (
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"bgtrain/benchmark/bm"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/stats"
)

// Of candidates that stand together in a database a player chooses as among those of the
// decisions that they come from, whatever stands between the decisions.
func TestChoices(t *testing.T) {
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := bgtest.Player(t, 1)
	e := p.NewEvaluator()
	path := filepath.Join(t.TempDir(), "candidates.parquet")
	w, err := dataset.Create(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	write := func(k bg.Key, o bg.Outputs) {
		if err := w.Write(&dataset.Row{Key: k, Class: dataset.ClassOf(board(t, k)), Outputs: o, HasOutputs: true}); err != nil {
			t.Fatal(err)
		}
	}
	alone := bgtest.Positions(len(f.Records))
	var losses stats.Tally
	var want EquityErrors
	wrong := 0
	for i, r := range f.Records {
		var errs []float64
		best, chosen, value := -4.0, 0.0, -4.0
		for _, c := range r.Candidates {
			if !c.RolledOut {
				t.Fatal("a candidate without outputs")
			}
			write(c.Key, c.Outputs)
			o := e.Evaluate(board(t, c.Key), 0)
			truth, mine := -float64(c.Outputs.Equity()), -float64(o.Equity())
			best = max(best, truth)
			if mine > value {
				chosen, value = truth, mine
			}
			errs = append(errs, mine-truth)
		}
		if len(errs) > 1 {
			losses.Add(best - chosen)
			want.decisions = append(want.decisions, sumErrors(errs))
			if best > chosen {
				wrong++
			}
		}
		if i%2 == 0 {
			write(alone[i].Key(), bg.Outputs{0.5})
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := dataset.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3} {
		c, err := CalibrateDatabase(t.Context(), p, 0, db, Options{Workers: workers})
		if err != nil || c.Choices == nil {
			t.Fatal(c, err)
		}
		got := c.Choices
		if got.Equity.Decisions != losses.N || got.Wrong != wrong || math.Abs(got.ER.Mean-1000*losses.Stat().Mean) > 1e-3 ||
			!reflect.DeepEqual(rounded(got.Equity), rounded(want.Summary())) {
			t.Errorf("%+v; want %d decisions, %d wrong, ER %v, %+v", got, losses.N, wrong, 1000*losses.Stat().Mean,
				want.Summary())
		}
	}
	c, err := Calibrate(t.Context(), p, 0, Samples(f), Options{Workers: 1})
	if err != nil || c.Choices != nil {
		t.Errorf("candidates of benchmark files, whose decisions are scored, chosen among again: %+v, %v", c.Choices, err)
	}
}

func board(t *testing.T, k bg.Key) *bg.Board {
	t.Helper()
	b, err := k.Board()
	if err != nil {
		t.Fatal(err)
	}
	return &b
}

// rounded leaves room for another order of sums.
func rounded(e EquityError) EquityError {
	for _, x := range []*float64{&e.RMS, &e.RMSSE, &e.Within, &e.WithinSE} {
		*x = math.Round(*x*1e5) / 1e5
	}
	return e
}
