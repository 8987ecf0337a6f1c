package score

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/cube"
)

// The opening position, and a record with the rolled-out outputs of one candidate.
const (
	openingKey = "OAHDPAABDAOAHDPAABDA"
	goodRecord = "m NGGOAGAEAGDGOPAGJAAA 5 3 DGOPEGCAAANGGOAGAAED 0.642309 DGOPAGAGAANGGOAGAEAG 0.075863\n" +
		"#R DGOPEGCAAANGGOAGAAED 0.224325 0.037843 0.001024 0.126749 0.003077\n"
)

func readString(t *testing.T, s string) *bm.File {
	t.Helper()
	f, err := bm.Read(strings.NewReader(s), "test.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return f
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

func TestCalibrate(t *testing.T) {
	p := bgtest.Player(t, 1)
	e := p.NewEvaluator()
	var samples []Sample
	for _, b := range bgtest.Positions(1000) {
		o := e.Evaluate(&b, 0)
		samples = append(samples, Sample{b, o})
	}
	for _, workers := range []int{1, 3} {
		c, err := Calibrate(context.Background(), p, 0, samples, Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if c.Positions != 1000 || c.Equity != (ErrorStat{}) {
			t.Errorf("against itself: %+v", c.Equity)
		}
		n := 0
		for _, b := range c.Outputs[bg.Win].Bins {
			n += b.Positions
			if math.Abs(b.Predicted-b.RolledOut.Mean) > 1e-9 {
				t.Errorf("bin %+v", b)
			}
		}
		if n != 1000 {
			t.Errorf("%d positions in bins", n)
		}
	}
	// Shifted by known amounts.
	for i := range samples {
		samples[i].Outputs[bg.Win] -= []float32{0.02, -0.01}[i%2]
	}
	c, err := Calibrate(context.Background(), p, 0, samples, Options{Workers: 0})
	if err != nil {
		t.Fatal(err)
	}
	got, want := c.Outputs[bg.Win].Error, ErrorStat{0.005, math.Sqrt((0.0004 + 0.0001) / 2), 0.00015, 0.015}
	for _, d := range []float64{got.Bias - want.Bias, got.RMS - want.RMS, got.RMSSE - want.RMSSE, got.MeanAbsolute - want.MeanAbsolute,
		c.Equity.Bias - 2*want.Bias} {
		if math.Abs(d) > 1e-6 {
			t.Errorf("win %+v, %+v expected; equity %+v", got, want, c.Equity)
		}
	}
}

// A look-ahead takes long, so it is left after a position.
func TestCalibrateStops(t *testing.T) {
	var samples []Sample
	for _, b := range bgtest.Positions(50) {
		samples = append(samples, Sample{Board: b})
	}
	ctx, cancel := context.WithCancel(t.Context())
	most := 0
	_, err := Calibrate(ctx, bgtest.Player(t, 1), 1, samples, Options{Workers: 1, Progress: func(done, _ int) {
		cancel()
		most = done
	}})
	if !errors.Is(err, context.Canceled) || most != 1 {
		t.Errorf("%v after %d positions", err, most)
	}
}

func TestCalibrateDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	w, err := dataset.Create(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := bgtest.Player(t, 1)
	e := p.NewEvaluator()
	var samples []Sample
	for i, b := range bgtest.Positions(1500) {
		r := dataset.Row{Key: b.Key(), Class: dataset.ClassOf(&b)}
		if i%3 > 0 { // the others have not been rolled out
			r.Outputs, r.HasOutputs = e.Evaluate(&b, 0), true
			r.Outputs[bg.Win] *= 0.99
			r.EquitySE, r.HasSE = []float32{0, 0.03, 0.01}[i%3], true
			samples = append(samples, Sample{b, r.Outputs})
		}
		if err := w.Write(&r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := dataset.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var done, total int
	got, err := CalibrateDatabase(context.Background(), p, 0, db,
		Options{Workers: 2, Progress: func(d, t int) { done, total = d, t }})
	if err != nil {
		t.Fatal(err)
	}
	if done != 1500 || total != 1500 {
		t.Errorf("%d of %d rows at the end", done, total)
	}
	want, err := Calibrate(context.Background(), p, 0, samples, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.Noise-math.Sqrt((0.0009+0.0001)/2)) > 1e-7 {
		t.Errorf("noise %v", got.Noise)
	}
	got.Noise = 0
	if !reflect.DeepEqual(got, want) || got.Positions != 1000 || got.Equity.RMS == 0 ||
		got.Classes["contact"].Positions == 0 {
		t.Errorf("%+v\n%+v", got, want)
	}
	themes, contact := 0, got.Classes["contact"].Positions+got.Classes["crashed"].Positions
	for _, e := range got.Themes {
		themes += e.Positions
	}
	if themes != contact || len(got.Themes) < 6 {
		t.Errorf("%d positions in themes, %d with contact: %v", themes, contact, got.Themes)
	}
}

func TestSamples(t *testing.T) {
	f := readString(t, goodRecord+"o "+openingKey+" 0.5 0.2 0.1 0.2 0.1\n")
	s := Samples(f)
	if len(s) != 2 || s[0].Outputs[0] != 0.224325 || s[1].Board != bg.Start || s[1].Outputs[bg.WinGammon] != 0.2 {
		t.Errorf("%+v", s)
	}
}

func TestJudgeCube(t *testing.T) {
	j := cube.Janowski{Life: 0.68, Opponent: 0.68}
	judgeCube := func(own, right *bg.Outputs) cubeLoss {
		l := decideCube(j, &cube.Money, &bg.Start, own, right)
		l.judge()
		return l
	}
	at := func(p float32) *bg.Outputs { return &bg.Outputs{bg.Win: p} }
	// By hand without gammons: no double 2.90667p - 1.45333, double and take
	// 4.68p - 2.68.
	for _, c := range []struct {
		own, right     float32
		double, answer float64
	}{
		{0.6, 0.6, 0, 0},
		{0.72, 0.65, 0.4360 - 0.3620, 0}, // doubles too early: 0.436 against 0.362
		{0.65, 0.72, 0.6896 - 0.6395, 0}, // misses a double
		{0.75, 0.85, 0, 1.298 - 1},       // takes a pass
		{0.85, 0.75, 0, 1 - 0.83},        // passes a take
	} {
		l := judgeCube(at(c.own), at(c.right))
		if math.Abs(l.double-c.double) > 2e-4 || math.Abs(l.answer-c.answer) > 2e-4 {
			t.Errorf("own %v, right %v: %+v, %v and %v expected", c.own, c.right, l, c.double, c.answer)
		}
	}
	s := sumCube([]cubeLoss{
		judgeCube(at(0.72), at(0.65)), judgeCube(at(0.65), at(0.72)),
		judgeCube(at(0.75), at(0.85)), judgeCube(at(0.85), at(0.75)),
	})
	if s.WrongDoubles != 1 || s.MissedDoubles != 1 || s.WrongTakes != 1 || s.WrongPasses != 1 || s.Positions != 4 {
		t.Errorf("%+v", s)
	}
	if math.Abs(s.ER.Mean-1000*(0.0740+0.0501+0.298+0.17)/4) > 0.2 {
		t.Errorf("%+v", s.ER)
	}
}

// A decision that was rolled out with the cube is judged by that, at its own score.
func TestScoreRolledCube(t *testing.T) {
	const o = "o " + openingKey + " 0.72 0 0 0 0\n#D " + openingKey
	for _, c := range []struct {
		line           string
		double, answer float64
	}{
		{" money 1 0.6 0.7 0.01 0.01 72", 0, 0},
		{" money 1 0.6 0.5 0.01 0.01 72", 0.1, 0},
		{" money 2 0.6 1.2 0.01 0.01 72", 0, 0.2},
		{" 2:9 1 0.3 0.2 0.01 0.01 72", 0.1, 0}, // at 2 away the take is clear, and the double
	} {
		f := readString(t, o+c.line+"\n")
		s, err := Cubes(context.Background(), knowing{0.72}, []*bm.File{f},
			cube.Janowski{Life: cube.ContactLife, Opponent: cube.ContactLife}, cube.Money, Options{Workers: 1})
		if err != nil || math.Abs(s.Double.Mean-1000*c.double) > 1e-6 || math.Abs(s.Answer.Mean-1000*c.answer) > 1e-6 {
			t.Errorf("%s: %+v, %v", c.line, s, err)
		}
	}
}

func TestScoreCube(t *testing.T) {
	f := readString(t, "o "+openingKey+" 0.65 0 0 0 0\no NGGOAGAEAGDGOPAGJAAA 0.72 0 0 0 0\n")
	s, err := Cubes(context.Background(), knowing{0.72}, []*bm.File{f},
		cube.Janowski{Life: cube.ContactLife, Opponent: cube.ContactLife}, cube.Money, Options{Workers: 2})
	if err != nil || s.Positions != 2 || s.WrongDoubles != 1 || math.Abs(s.ER.Mean-37) > 0.2 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := Cubes(context.Background(), opponents.PubEval{}, []*bm.File{f}, cube.Dead{}, cube.Money,
		Options{Workers: 1}); err == nil {
		t.Error("PubEval made cube decisions")
	}
}

func BenchmarkScore(b *testing.B) {
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for len(f.Records) < 1000 {
		f.Records = append(f.Records, f.Records...)
	}
	m, _ := (&opponents.NetPlayer{Net: bgtest.Player(b, 1)}).NewMover()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := decide(m, &f.Records[i%len(f.Records)], i); err != nil {
			b.Fatal(err)
		}
	}
}
