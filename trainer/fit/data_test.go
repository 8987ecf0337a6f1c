package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

// TestHeldOut: the split may never change, or nets would be validated on what
// their parents were trained on.
func TestHeldOut(t *testing.T) {
	start := bg.Start.Key()
	for _, c := range []struct {
		key  bg.Key
		at   float64 // the position is held out from this share on
		name string
	}{
		{start, 0.272196, "opening"},
		{bg.Key{}, 0.281761, "zero"},
		{bg.Key{9: 1}, 0.072016, "last byte"},
	} {
		lo, hi := 0.0, 1.0
		for range 60 {
			if mid := (lo + hi) / 2; HeldOut(c.key, mid) {
				hi = mid
			} else {
				lo = mid
			}
		}
		if math.Abs(hi-c.at) > 1e-6 {
			t.Errorf("%s: held out from %.6f on, %.6f expected", c.name, hi, c.at)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 20000
	held := 0
	for range n {
		b := randomBoard(rng)
		k := b.Key()
		if HeldOut(k, 0) {
			t.Fatal("held out with share 0")
		}
		if HeldOut(k, 0.1) {
			held++
			if !HeldOut(k, 0.2) {
				t.Fatal("held out with share 0.1, but not with 0.2")
			}
		}
	}
	if math.Abs(float64(held)/n-0.1) > 0.01 {
		t.Errorf("%d of %d held out, a tenth expected", held, n)
	}
}

func TestSameSideInEveryDatabase(t *testing.T) {
	d := pipData(t, 3000, 0.2)
	training := map[bg.Key]bool{}
	for i := range d.Training() {
		training[d.training.at(uint32(i)).Key] = true
	}
	for i := range d.Validation() {
		if training[d.validation.at(uint32(i)).Key] {
			t.Fatal("a position is on both sides")
		}
	}
	if d.Training() == 0 || d.Validation() == 0 {
		t.Errorf("%d and %d positions", d.Training(), d.Validation())
	}
}

func TestDataRefuses(t *testing.T) {
	ok := Example{Key: bg.Start.Key(), Weight: 1}
	nan := float32(math.NaN())
	for _, c := range []struct {
		name   string
		change func(e *Example)
		want   string
	}{
		{"fine", func(e *Example) {}, ""},
		{"weight 0", func(e *Example) { e.Weight = 0 }, ""},
		{"key", func(e *Example) { e.Key = bg.Key{255, 255, 255, 255} }, "position"},
		{"output", func(e *Example) { e.Target[2] = 1.5 }, "output 2"},
		{"NaN", func(e *Example) { e.Target[0] = nan }, "output 0"},
		{"weight", func(e *Example) { e.Weight = -1 }, "weight -1"},
		{"NaN weight", func(e *Example) { e.Weight = nan }, "weight NaN"},
	} {
		e := ok
		c.change(&e)
		d := NewData(0, false)
		err := d.Add(e)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

func TestDigest(t *testing.T) {
	a, b := pipData(t, 3000, 0.1), pipData(t, 3000, 0.1)
	if a.Digest() != b.Digest() {
		t.Error("the same data, other digests")
	}
	e := *b.training.at(0)
	if err := b.Add(e); err != nil {
		t.Fatal(err)
	}
	if a.Digest() == b.Digest() {
		t.Error("an example more, the same digest")
	}
	if a.Digest() == pipData(t, 3000, 0.2).Digest() {
		t.Error("another split, the same digest")
	}
}

// checkPermutation sorts what has to be each number below its length, once.
func checkPermutation(t *testing.T, order []uint32) {
	t.Helper()
	slices.Sort(order)
	for i, v := range order {
		if v != uint32(i) {
			t.Fatalf("not a permutation: %d at %d", v, i)
		}
	}
}

func TestShuffle(t *testing.T) {
	order := make([]uint32, 1000)
	shuffle(order, 1, 1)
	first := slices.Clone(order)
	shuffle(order, 1, 1)
	if !slices.Equal(order, first) {
		t.Error("the same seed and epoch, another order")
	}
	shuffle(order, 1, 2)
	if slices.Equal(order, first) {
		t.Error("two epochs have the same order")
	}
	checkPermutation(t, order)
}

// playedData is data of the best plays of rolls, up to four a decision, in the order of games.
func playedData(t testing.TB, n int, share float64) *Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	d, b := NewData(share, true), bg.Start
	var plays bg.Plays
	for d.Training() < n {
		results := plays.Generate(&b, rng.IntN(6)+1, rng.IntN(6)+1)
		for i := range min(len(results), 4) {
			e := Example{Key: results[i].Key(), Target: pipTarget(&results[i]), Weight: 0.5 + rng.Float32()}
			if err := d.Add(e); err != nil {
				t.Fatal(err)
			}
		}
		if b = results[rng.IntN(len(results))]; bg.Classify(&b) == bg.Over {
			b = bg.Start
		}
	}
	return d
}

// Siblings are held out together: as large a part of those held out has one before it.
func TestFamiliesHeldOut(t *testing.T) {
	d := playedData(t, 5000, 0.2)
	part := func(x *table) float64 {
		n := 0
		for i := range uint32(x.n) {
			if x.at(i).sibling {
				n++
			}
		}
		return float64(n) / float64(x.n)
	}
	training, validation := part(&d.training), part(&d.validation)
	if all := float64(d.Validation()) / float64(d.Training()+d.Validation()); all < 0.1 || all > 0.3 {
		t.Errorf("%.2f of the positions are held out", all)
	}
	if training < 0.6 || validation < training-0.05 {
		t.Errorf("siblings: %.2f of those to train on, %.2f of those held out", training, validation)
	}
}

// Replies of one decision belong together, whatever their checkers; candidates do not belong to them.
func TestRepliesBelongTogether(t *testing.T) {
	d, b := NewData(0, true), bg.Start
	var plays, replies bg.Plays
	results := plays.Generate(&b, 3, 1)
	far := replies.Generate(&results[0], 6, 5)
	var got []bool
	for i, e := range []Example{{Key: results[0].Key()}, {Key: results[1].Key()}, {Key: far[0].Key(), Reply: true},
		{Key: results[2].Key(), Reply: true}, {Key: results[3].Key()}} {
		e.Weight = 1
		if err := d.Add(e); err != nil {
			t.Fatal(err)
		}
		got = append(got, d.training.at(uint32(i)).sibling)
	}
	if want := []bool{false, true, false, true, false}; !slices.Equal(got, want) {
		t.Errorf("siblings %v, want %v", got, want)
	}
}

// An epoch of decisions has every example once, the candidates of a roll next to each other, the
// decisions in another order each time.
func TestShuffleDecisions(t *testing.T) {
	d := playedData(t, 1000, 0)
	order := make([]uint32, d.Training())
	d.training.shuffleDecisions(order, 1, 1)
	first, siblings := slices.Clone(order), 0
	for at, i := range order {
		if d.training.at(i).sibling {
			if siblings++; at == 0 || order[at-1] != i-1 {
				t.Fatalf("example %d is apart from the one before it", i)
			}
		}
	}
	if siblings < 500 {
		t.Errorf("%d siblings in %d examples", siblings, len(order))
	}
	d.training.shuffleDecisions(order, 1, 2)
	if slices.Equal(order, first) {
		t.Error("two epochs have the same order")
	}
	checkPermutation(t, order)
}

func TestRateAt(t *testing.T) {
	const steps, perEpoch = 1000, 100
	for _, c := range []struct {
		schedule      string
		half          float64 // in the middle between warm-up and end
		end           float64
		final, warmup float64
	}{
		{"constant", 1, 1, 0.1, 1},
		{"linear", 0.55, 0.1, 0.1, 1},
		{"cosine", 0.55, 0.1, 0.1, 1},
		{"exponential", math.Sqrt(0.1), 0.1, 0.1, 1},
		{"cosine", 0.5, 0, 0, 0},
	} {
		s := Settings{Rate: 2, Schedule: c.schedule, FinalRate: c.final, Warmup: c.warmup}
		warm := int64(c.warmup * perEpoch)
		at := func(step int64) float64 { return s.RateAt(step, steps, perEpoch) / 2 }
		if got := at(warm); math.Abs(got-1) > 1e-9 {
			t.Errorf("%s: rate %v after the warm-up", c.schedule, got)
		}
		if got := (at(warm+(steps-1-warm)/2) + at(warm+(steps-warm)/2)) / 2; math.Abs(got-c.half) > 1e-3 {
			t.Errorf("%s: rate %v half way, want %v", c.schedule, got, c.half)
		}
		if got := at(steps - 1); math.Abs(got-c.end) > 1e-9 {
			t.Errorf("%s: rate %v at the end, want %v", c.schedule, got, c.end)
		}
		for step := int64(1); step < warm; step++ {
			if at(step) <= at(step-1) || at(step) >= 1 {
				t.Errorf("%s: rate %v in step %d of the warm-up", c.schedule, at(step), step)
			}
		}
	}
}
