package bearoff

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bgtrain/internal/bg"
)

// sharedWide is the file of seven points, computed once for all tests.
var sharedWide = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "bearoff")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "seven")
	if err := buildWide(context.Background(), path, 7, 0, func(int) {}); err != nil {
		return nil, err
	}
	if left, _ := filepath.Glob(path + ".*"); left != nil {
		return nil, errors.New("left behind: " + strings.Join(left, " "))
	}
	return os.ReadFile(path)
})

func wideFile(t testing.TB) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("computes 170,544 positions")
	}
	data, err := sharedWide()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func testWide(t testing.TB) *wide {
	t.Helper()
	w, err := parseWide(wideFile(t), 7)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func sideOf(s spread) (side bg.Side) {
	copy(side[:], s[:])
	return side
}

// TestWideHasTheHomeBoard holds the positions of the home board to the database of
// six points, whose distributions were checked against a reference and GNU
// Backgammon.
func TestWideHasTheHomeBoard(t *testing.T) {
	w, db := testWide(t), testDB(t)
	worst := 0.0
	for id, h := range Homes(NumOneSided) {
		var s spread
		copy(s[:], h[:])
		at, _ := w.n.index(&s)
		all, first := w.runs(at)
		d := &db.one[id]
		compare := func(what string, r run, want []float32) {
			for i := range len(r.entries) / 2 {
				worst = max(worst, math.Abs(float64(r.at(i))/unit-float64(want[r.from+i])))
			}
			rest := 1.0
			for _, p := range want[min(r.from, len(want)):min(r.from+len(r.entries)/2, len(want))] {
				rest -= float64(p)
			}
			if rest > 1e-4 {
				t.Fatalf("%v: %s lacks %v", h, what, rest)
			}
		}
		compare("all", all, d.P[:])
		if len(first.entries) > 0 {
			compare("first", first, d.First[:])
		} else if d.First[0] != 1 {
			t.Fatalf("%v has no first checker", h)
		}
		if math.Abs(all.mean()-float64(d.Mean)) > 1e-3 {
			t.Fatalf("%v: mean %v, want %v", h, all.mean(), d.Mean)
		}
	}
	t.Logf("worst difference %.7f", worst)
	if worst > 1.7e-5 { // a unit, and what is trimmed
		t.Error("too different")
	}
}

// TestWideMovesAgainstPlays holds moves of single dice, put together, to the plays
// of the whole game.
func TestWideMovesAgainstPlays(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	n := newNumbering(MaxPoints)
	var list moveList
	var gen bg.Plays
	for range 500 {
		s := randomSpread(rng, 1+rng.IntN(MaxPoints), 1+rng.IntN(maxCheckers))
		id, _ := n.index(&s)
		b := bg.Board{Me: sideOf(s), Opp: bg.Side{1}}
		for _, r := range bg.Rolls {
			orders := [][]int{{r.Hi, r.Lo}, {r.Lo, r.Hi}}
			if r.Hi == r.Lo {
				orders = [][]int{{r.Hi, r.Hi, r.Hi, r.Hi}}
			}
			got := map[uint32]bool{}
			for _, dice := range orders {
				now := []uint32{id}
				for _, die := range dice {
					var after []uint32
					for _, mid := range now {
						if mid == 0 {
							after = append(after, 0)
							continue
						}
						p := n.position(mid)
						after = append(after, list.of(n, &p, die)...)
					}
					slices.Sort(after)
					now = slices.Compact(after)
				}
				for _, to := range now {
					got[to] = true
				}
			}
			want := map[uint32]bool{}
			for _, after := range gen.Generate(&b, r.Hi, r.Lo) {
				to, _ := n.side(&after.Opp)
				want[to] = true
			}
			if len(got) != len(want) {
				t.Fatalf("%v with %d%d: %d results, %d by the rules", s, r.Hi, r.Lo, len(got), len(want))
			}
			for to := range want {
				if !got[to] {
					t.Fatalf("%v with %d%d: %v is missing", s, r.Hi, r.Lo, n.position(to))
				}
			}
		}
	}
}

// TestWideAgainstReference computes means by plain recursion over the plays of the
// whole game.
func TestWideAgainstReference(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	w := testWide(t)
	means := map[uint32]float64{0: 0}
	var mean func(id uint32) float64
	mean = func(id uint32) float64 {
		if m, ok := means[id]; ok {
			return m
		}
		sum := 0.0
		b := bg.Board{Me: sideOf(w.n.position(id)), Opp: bg.Side{1}}
		for _, r := range bg.Rolls {
			var gen bg.Plays
			best := math.Inf(1)
			for _, after := range gen.Generate(&b, r.Hi, r.Lo) {
				to, _ := w.n.side(&after.Opp)
				best = min(best, mean(to))
			}
			sum += float64(r.Weight) / 36 * best
		}
		means[id] = 1 + sum
		return 1 + sum
	}
	for _, s := range []spread{{6: 1}, {6: 2, 3: 1}, {6: 3}, {1, 0, 1, 0, 1, 0, 1}} {
		id, _ := w.n.index(&s)
		mean(id)
	}
	for id, want := range means {
		if all, _ := w.runs(id); math.Abs(all.mean()-want) > 1e-3 {
			t.Errorf("%v: mean %v, want %v", w.n.position(id), all.mean(), want)
		}
	}
	t.Logf("%d positions", len(means))
}

// TestWideEvaluate compares outputs with those of the database of six points, and
// checks the outputs of others for what must hold.
func TestWideEvaluate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	w, db := testWide(t), testDB(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 3000 {
		checkers := [2]int{15, 15}
		if i%3 > 0 {
			checkers = [2]int{1 + rng.IntN(15), 1 + rng.IntN(15)}
		}
		points := 6 + i%2
		b := bg.Board{Me: sideOf(randomSpread(rng, points, checkers[0])),
			Opp: sideOf(randomSpread(rng, points, checkers[1]))}
		var out bg.Outputs
		w.evaluate(&b, &out)
		if out[bg.WinGammon] > out[bg.Win] || out[bg.LoseGammon] > 1-out[bg.Win] || out[bg.Win] > 1 ||
			out[bg.WinGammon] > 0 && checkers[1] < 15 || out[bg.LoseGammon] > 0 && checkers[0] < 15 {
			t.Fatalf("%v: %v", b, out)
		}
		if points > 6 {
			continue
		}
		var want bg.Outputs
		(&DB{one: db.one}).Evaluate(&b, &want)
		for k := range out {
			if math.Abs(float64(out[k]-want[k])) > 1e-4 {
				t.Fatalf("%v: %v, six points %v", b, out, want)
			}
		}
	}
}

// TestWideResume ends the computation at one pip count after the other and goes on;
// damages what is kept meanwhile; and wants the same file.
func TestWideResume(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	const points = 5
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	if err := buildWide(t.Context(), whole, points, 1, func(int) {}); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(path string) error{
		"nothing": func(string) error { return nil },
		"data": func(path string) error {
			data, err := os.ReadFile(path + stepsSuffix)
			if err != nil {
				return err
			}
			data[len(data)/2] ^= 4
			return os.WriteFile(path+stepsSuffix, data, 0o666)
		},
		"data cut off": func(path string) error { return os.Truncate(path+stepsSuffix, 1000) },
		"no data":      func(path string) error { return os.Remove(path + stepsSuffix) },
		"no journal":   func(path string) error { return os.Remove(path + journalSuffix) },
		"more data": func(path string) error {
			data, err := os.ReadFile(path + stepsSuffix)
			if err != nil {
				return err
			}
			return os.WriteFile(path+stepsSuffix, append(data, 1, 2, 3), 0o666)
		},
		"other journal": func(path string) error {
			return os.WriteFile(path+journalSuffix, []byte("bgtrain bearoff-steps 2 one-sided 5\n"), 0o666)
		},
	} {
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		for _, stop := range []int{3, 40, 60} {
			ctx, cancel := context.WithCancel(t.Context())
			calls := 0
			err := buildWide(ctx, path, points, 2, func(int) {
				if calls++; calls == stop {
					cancel()
				}
			})
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v after %d pip counts", name, err, calls)
			}
		}
		if err := damage(path); err != nil {
			t.Fatal(err)
		}
		if err := buildWide(t.Context(), path, points, 2, func(int) {}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: another file (%v)", name, err)
		}
		if left, _ := filepath.Glob(path + ".*"); left != nil {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}

func TestDamagedWide(t *testing.T) {
	good := wideFile(t)
	records := headerSize + 4*newNumbering(7).positions(maxCheckers)
	for _, tt := range []struct {
		name   string
		change func([]byte) []byte
	}{
		{"flipped", func(b []byte) []byte { b[len(b)/2] ^= 1; return b }},
		{"cut off", func(b []byte) []byte { return b[:len(b)-1000] }},
		{"empty", func([]byte) []byte { return nil }},
		{"header alone", func(b []byte) []byte { return b[:headerSize] }},
		{"other points", func(b []byte) []byte { b[28] = 8; return reseal(b) }},
		{"other version", func(b []byte) []byte { b[16]++; return reseal(b) }},
		{"index beyond the end", func(b []byte) []byte { b[headerSize+7] = 0xff; return reseal(b) }},
		{"too many entries", func(b []byte) []byte { b[records+1] = 200; return reseal(b) }},
		{"entries that do not add up", func(b []byte) []byte { b[records+recordHead] ^= 1; return reseal(b) }},
	} {
		if _, err := parseWide(tt.change(slices.Clone(good)), 7); !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := parseWide(reseal(slices.Clone(good)), 7); err != nil {
		t.Error(err)
	}
	if _, err := openWide(filepath.Join(t.TempDir(), "none"), 7); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// FuzzParseWide changes a whole file of one point and puts the right checksum
// under it: what is taken in must evaluate without a panic.
func FuzzParseWide(f *testing.F) {
	path := filepath.Join(f.TempDir(), "one")
	if err := buildWide(f.Context(), path, 1, 1, func(int) {}); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint16(headerSize), uint32(1))
	f.Add(uint16(headerSize+4*16+1), uint32(77))
	f.Add(uint16(0), uint32(0))
	f.Fuzz(func(t *testing.T, at uint16, change uint32) {
		data := slices.Clone(good)
		if i := int(at) % (len(data) - 4); i+4 <= len(data)-4 {
			binary.LittleEndian.PutUint32(data[i:], binary.LittleEndian.Uint32(data[i:])^change)
		}
		w, err := parseWide(reseal(data), 1)
		if err != nil {
			return
		}
		for me := range uint8(15) {
			b := bg.Board{Me: bg.Side{me + 1}, Opp: bg.Side{15 - me}}
			var out bg.Outputs
			w.evaluate(&b, &out)
			for _, v := range out {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("outputs %v", out)
				}
			}
		}
	})
}

func BenchmarkWideEvaluate(b *testing.B) {
	w := testWide(b)
	rng := rand.New(rand.NewPCG(7, 8))
	boards := make([]bg.Board, 1<<14)
	for i := range boards {
		boards[i] = bg.Board{Me: sideOf(randomSpread(rng, 7, 15)), Opp: sideOf(randomSpread(rng, 7, 15))}
	}
	b.ReportAllocs()
	var out bg.Outputs
	i := 0
	for b.Loop() {
		w.evaluate(&boards[i], &out)
		i = (i + 1) & (len(boards) - 1)
	}
}

// homeOf returns a position without its checkers behind the home board.
func homeOf(s spread) spread {
	clear(s[Points:])
	return s
}

// BenchmarkOnTheFly reports how many positions with a checker behind the home board
// one would have to compute for the first position of ten points that is asked for,
// were only the home board in a file: all that can be reached by the rules.
func BenchmarkOnTheFly(b *testing.B) {
	n := newNumbering(MaxPoints)
	var list moveList
	for _, outside := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(outside), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(9, 10))
			total := 0
			for b.Loop() {
				var s spread
				for i := range maxCheckers {
					if i < outside {
						s[Points+rng.IntN(MaxPoints-Points)]++
					} else {
						s[rng.IntN(Points)]++
					}
				}
				id, _ := n.index(&s)
				seen := map[uint32]bool{id: true}
				for todo := []uint32{id}; len(todo) > 0; {
					at := n.position(todo[len(todo)-1])
					todo = todo[:len(todo)-1]
					for die := 1; die <= 6; die++ {
						for _, to := range list.of(n, &at, die) {
							after := n.position(to)
							if after != homeOf(after) && !seen[to] {
								seen[to] = true
								todo = append(todo, to)
							}
						}
					}
				}
				total += len(seen)
			}
			b.ReportMetric(float64(total)/float64(b.N), "positions")
		})
	}
}

// mean returns the mean number of rolls.
func (r *run) mean() float64 {
	sum := uint64(0)
	for i := range len(r.entries) / 2 {
		sum += uint64(r.from+i) * r.at(i)
	}
	return float64(sum) / unit
}
