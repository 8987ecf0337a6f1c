package benchmark

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/player"
)

// smallPlayer is a player of small random nets.
func smallPlayer(t testing.TB, seed uint64) *player.Player {
	t.Helper()
	set, err := features.ByName("tesauro")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	random := func(n int, size float64) []float32 {
		w := make([]float32, n)
		for i := range w {
			w[i] = float32(rng.NormFloat64() * size)
		}
		return w
	}
	f := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	for _, r := range []nets.Role{nets.Contact, nets.Crashed, nets.Race} {
		f.Nets[r] = &nets.Entry{Inputs: set.Name, InputsVersion: set.Version, Net: &nn.Net{Layers: []nn.Layer{
			{In: set.Size, Out: 8, Weights: random(set.Size*8, 0.3), Bias: random(8, 0.1), Activation: nn.Sigmoid, Beta: 1},
			{In: 8, Out: 5, Weights: random(40, 0.5), Bias: random(5, 0.1), Activation: nn.Sigmoid, Beta: 1},
		}}}
	}
	p, err := player.New(f, nil, player.Options{CacheMB: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestNetMatchDoesNotDependOnWorkers(t *testing.T) {
	a, b := smallPlayer(t, 1), smallPlayer(t, 2)
	var first []Game
	for _, workers := range []int{1, 2, 7} {
		m := play(t, &NetPlayer{Net: a, Label: "a"}, &NetPlayer{Net: b, Label: "b"}, MatchOptions{
			Games: 12, Seed: 4, Workers: workers, Cube: &[2]Janowski{{0.7}, {0.5}}, Luck: a})
		if first == nil {
			first = m.Games
		} else if !reflect.DeepEqual(first, m.Games) {
			t.Errorf("%d workers play other games", workers)
		}
	}
}

// The luck of a roll, averaged over the rolls, is zero.
func TestLuckIsFair(t *testing.T) {
	l := &luckMeter{smallPlayer(t, 1).NewEvaluator()}
	for i, b := range randomPositions(200) {
		for _, opening := range []bool{false, true} {
			sum := 0.0
			for d1 := 1; d1 <= 6; d1++ {
				for d2 := 1; d2 <= 6; d2++ {
					if !opening || d1 != d2 {
						sum += l.measure(&b, d1, d2, opening)
					}
				}
			}
			if math.Abs(sum) > 1e-5 {
				t.Fatalf("position %d: luck %v", i, sum)
			}
		}
	}
}

// Points less luck have the mean of points, and where the luck is measured by
// what the players aim at, a smaller variance.
func TestLuckAdjustment(t *testing.T) {
	p := smallPlayer(t, 1)
	n := &NetPlayer{Net: p, Label: "a"}
	s := play(t, n, n, MatchOptions{Games: 60, Seed: 4, Luck: p}).Summary()
	if s.Adjusted == nil || math.Abs(s.Adjusted.Mean-s.Points.Mean) > 5*(s.Adjusted.SE+s.Points.SE) {
		t.Errorf("points %+v, adjusted %+v", s.Points, s.Adjusted)
	}
	// An exchange of seats turns it round.
	d := play(t, n, n, MatchOptions{Games: 10, Seed: 4, Luck: p, Duplicate: true}).Summary()
	if math.Abs(d.Adjusted.Mean) > 1e-12 || d.Adjusted.SE > 1e-12 {
		t.Errorf("duplicate dice: adjusted %+v", d.Adjusted)
	}
}

func TestObjectiveWins(t *testing.T) {
	p := smallPlayer(t, 3)
	m, _ := (&NetPlayer{Net: p, Objective: Wins}).NewMover()
	e := p.NewEvaluator()
	var plays bg.Plays
	differ := 0
	for _, b := range randomPositions(300) {
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

func TestCalibrate(t *testing.T) {
	p := smallPlayer(t, 1)
	e := p.NewEvaluator()
	var samples []Sample
	for _, b := range randomPositions(1000) {
		o := e.Evaluate(&b, 0)
		samples = append(samples, Sample{b, o})
	}
	for _, workers := range []int{1, 3} {
		c, err := Calibrate(context.Background(), p, 0, samples, workers)
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
	c, err := Calibrate(context.Background(), p, 0, samples, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, want := c.Outputs[bg.Win].Error, ErrorStat{0.005, math.Sqrt((0.0004 + 0.0001) / 2), 0.015}
	for _, d := range []float64{got.Bias - want.Bias, got.RMS - want.RMS, got.MeanAbsolute - want.MeanAbsolute, c.Equity.Bias - 2*want.Bias} {
		if math.Abs(d) > 1e-6 {
			t.Errorf("win %+v, %+v expected; equity %+v", got, want, c.Equity)
		}
	}
}

func TestCalibrateDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	w, err := dataset.Create(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := smallPlayer(t, 1)
	e := p.NewEvaluator()
	var samples []Sample
	for i, b := range randomPositions(1500) {
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
	got, err := CalibrateDatabase(context.Background(), p, 0, db, 2)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Calibrate(context.Background(), p, 0, samples, 1)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.Noise-math.Sqrt((0.0009+0.0001)/2)) > 1e-7 {
		t.Errorf("noise %v", got.Noise)
	}
	got.Noise = 0
	if !reflect.DeepEqual(got, want) || got.Positions != 1000 || got.Equity.RMS == 0 || got.Classes["contact"].Positions == 0 {
		t.Errorf("%+v\n%+v", got, want)
	}
}

func TestSamples(t *testing.T) {
	f := readString(t, goodRecord+goodR1+"o "+openingKey+" 0.5 0.2 0.1 0.2 0.1\n")
	s := f.Samples()
	if len(s) != 2 || s[0].Outputs[0] != 0.224325 || s[1].Board != bg.Start || s[1].Outputs[bg.WinGammon] != 0.2 {
		t.Errorf("%+v", s)
	}
}

func TestJudgeCube(t *testing.T) {
	j := Janowski{0.68}
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
		l := judgeCube(j, Centred, at(c.own), at(c.right))
		if math.Abs(l.double-c.double) > 2e-4 || math.Abs(l.answer-c.answer) > 2e-4 {
			t.Errorf("own %v, right %v: %+v, %v and %v expected", c.own, c.right, l, c.double, c.answer)
		}
	}
	s := sumCube([]cubeLoss{
		judgeCube(j, Centred, at(0.72), at(0.65)), judgeCube(j, Centred, at(0.65), at(0.72)),
		judgeCube(j, Centred, at(0.75), at(0.85)), judgeCube(j, Centred, at(0.85), at(0.75)),
	})
	if s.WrongDoubles != 1 || s.MissedDoubles != 1 || s.WrongTakes != 1 || s.WrongPasses != 1 || s.Positions != 4 {
		t.Errorf("%+v", s)
	}
	if math.Abs(s.ER.Mean-1000*(0.0740+0.0501+0.298+0.17)/4) > 0.2 {
		t.Errorf("%+v", s.ER)
	}
}

func TestScoreCube(t *testing.T) {
	f := readString(t, "o "+openingKey+" 0.65 0 0 0 0\no NGGOAGAEAGDGOPAGJAAA 0.72 0 0 0 0\n")
	s, err := ScoreCube(context.Background(), knowing{0.72}, []*File{f}, Janowski{ContactLife}, Centred, 2)
	if err != nil || s.Positions != 2 || s.WrongDoubles != 1 || math.Abs(s.ER.Mean-37) > 0.2 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := ScoreCube(context.Background(), PubEval{}, []*File{f}, Janowski{}, Centred, 1); err == nil {
		t.Error("PubEval made cube decisions")
	}
}

func BenchmarkScore(b *testing.B) {
	f, err := ReadFile("testdata/contact.bm", ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for len(f.Records) < 1000 {
		f.Records = append(f.Records, f.Records...)
	}
	m, _ := (&NetPlayer{Net: smallPlayer(b, 1)}).NewMover()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := decide(m, &f.Records[i%len(f.Records)], i); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPubEvalGame(b *testing.B) {
	m, _ := PubEval{}.NewMover()
	g := game{movers: [2]Mover{m, m}}
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		if _, err := g.play(newDice(1, i), 0); err != nil {
			b.Fatal(err)
		}
	}
}
