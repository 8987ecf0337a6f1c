package cubestudy

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/benchmark/match"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/cube"
	"bgtrain/internal/stats"
)

func model(t testing.TB, name string) cube.Model {
	t.Helper()
	m, err := cube.ParseModel(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func record(t testing.TB, dir string, s Settings) []Game {
	t.Helper()
	if err := Record(context.Background(), bgtest.Player(t, 3), nil, dir, "test", s, Hooks{}); err != nil {
		t.Fatal(err)
	}
	games, _, err := readPart(partName(dir, 0), "")
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// A model handles the cube in recorded games as it does in a match of the net
// against itself.
func TestReplayIsAMatch(t *testing.T) {
	games := record(t, t.TempDir(), Settings{Games: 150, Seed: 5})
	a, b := model(t, "janowski=0.9"), model(t, "janowski=0.3")
	p := &opponents.NetPlayer{Net: bgtest.Player(t, 3), Label: "p"}
	m, err := match.Play(context.Background(), p, p, match.Options{Games: 150, Seed: 5, Cube: &[2]cube.Model{a, b}})
	if err != nil {
		t.Fatal(err)
	}
	da, db := &decider{model: a}, &decider{model: b} // no tables
	different, cubes := 0, 0
	for i, g := range games {
		spots := make([]spot, len(g.Turns))
		for k := range g.Turns {
			spots[k] = spotOf(&g.Turns[k])
		}
		first := &handler{da, g.Turns, spots, make([]actions, len(g.Turns))}
		second := &handler{db, g.Turns, spots, make([]actions, len(g.Turns))}
		if i%2 == 1 {
			first, second = second, first
		}
		o := g.play(first, second)
		if i%2 == 1 {
			o.points = -o.points
		}
		if o.cube > 1 {
			cubes++
		}
		if want := m.Games[i]; o.points != want.Points || o.cube != want.Cube || o.passed != want.Passed {
			different++ // only where the rounding of outputs decided
		}
	}
	if different > 1 || cubes < 20 {
		t.Errorf("%d of %d games differ, %d with a turned cube", different, len(games), cubes)
	}
}

// The ranges of chances give the decisions of the model itself.
func TestRangesAreTheModel(t *testing.T) {
	rng, n := rand.New(rand.NewPCG(4, 5)), 1500
	names := []string{"dead", "live", "janowski=0.7", "janowski=0.5:0.9", "jump=0.08", "jump=0.1"}
	if testing.Short() {
		names, n = names[4:5], 300
	}
	for _, name := range names {
		d := newDecider(model(t, name))
		wrong := 0
		for range n {
			var turn Turn
			p := 0.4 + 0.6*rng.Float32()
			turn.Outputs = [5]uint16{pack(p), pack(p * rng.Float32() * 0.6), 0, pack((1 - p) * rng.Float32() * 0.6), 0}
			o := turn.Of()
			if o.Equity() <= 0 {
				continue
			}
			if s := spotOf(&turn); d.decideAt(&turn, &s) != d.askAt(&turn) {
				wrong++
			}
		}
		if wrong > n/300 {
			t.Errorf("%s: %d of %d decisions differ", name, wrong, n)
		}
	}
}

func TestCompare(t *testing.T) {
	games := 60
	if testing.Short() {
		games = 20
	}
	dir := t.TempDir()
	record(t, dir, Settings{Games: games, Seed: 1})
	parts, err := Parts(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, b := model(t, "janowski=0.7"), model(t, "jump=0.08")
	r, err := Compare(context.Background(), parts, []cube.Model{a, b}, a, 2, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if r[0].Points != (stats.Stat{}) || r[0].Wins != (stats.Stat{Mean: 0.5}) || r[0].Games != games {
		t.Errorf("a model against itself: %+v", r[0])
	}
	// Pairs of games with the same rolls say more than games with rolls of their own.
	if r[0].Independent != 0 || !(r[1].GameSD > 1 && r[1].Independent > float64(games)) {
		t.Errorf("single games: %+v", r)
	}
	back, err := Compare(context.Background(), parts, []cube.Model{a}, b, 1, Hooks{})
	if err != nil || back[0].Points.Mean != -r[1].Points.Mean || back[0].Cube != r[1].Cube {
		t.Errorf("%+v and the other way round %+v, %v", r[1], back, err)
	}
	if _, err := Compare(context.Background(), parts, []cube.Model{cube.GNUbg{}}, a, 1, Hooks{}); err == nil {
		t.Error("gnubg looked at positions that are not there")
	}
}

// Parts that are there are kept, and only if they belong to the run.
func TestRecordGoesOn(t *testing.T) {
	dir := t.TempDir()
	s := Settings{Games: 20, Seed: 7, Volatility: true}
	games := record(t, dir, s)
	measured := 0
	for i := range games {
		for _, turn := range games[i].Turns {
			if turn.Volatility > 0 {
				measured++
			}
		}
	}
	if measured < 50 {
		t.Errorf("%d volatilities", measured)
	}
	path := partName(dir, 0)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	record(t, dir, s)
	if after, err := os.Stat(path); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a finished part was written again: %v", err)
	}
	again := func(want string, s Settings) {
		t.Helper()
		err := Record(context.Background(), bgtest.Player(t, 3), nil, dir, "test", s, Hooks{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %q expected", err, want)
		}
	}
	again("games of another run", Settings{Games: 20, Seed: 8, Volatility: true})
	again("21 expected", Settings{Games: 21, Seed: 7, Volatility: true})
	again("a multiple of", Settings{Games: PartGames + 1, Seed: 7})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	again("damaged", s)
	if _, err := Parts(filepath.Join(dir, "none")); err == nil {
		t.Error("games where there are none")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Record(ctx, bgtest.Player(t, 3), nil, t.TempDir(), "test", s, Hooks{}); err == nil {
		t.Error("a canceled recording finished")
	}
}

func TestFit(t *testing.T) {
	var models []cube.Model
	var results []Result
	for i := range 7 {
		x := 0.05 + 0.01*float64(i)
		models = append(models, cube.Jump{Volatility: x})
		results = append(results, Result{Points: stats.Stat{Mean: 0.01 - 7*(x-0.083)*(x-0.083), SE: 0.001}})
	}
	f := Fit(models, results)
	if f == nil || math.Abs(f.Best-0.083) > 1e-6 || math.Abs(f.Top-0.01) > 1e-6 || !(f.BestSE > 0 && f.BestSE < 0.01) {
		t.Errorf("%+v", f)
	}
	if Fit(append(models[:6:6], cube.Dead{}), results) != nil || Fit(models[:3], results[:3]) != nil {
		t.Error("fitted what is no curve")
	}
}

func FuzzReadPart(f *testing.F) {
	dir := f.TempDir()
	path := filepath.Join(dir, "part")
	if err := writePart(path, "x", 0, KeepOutputs, []Game{{Points: -2, Turns: make([]Turn, 3)}}); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:len(data)-4])
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _, _ = parsePart(data, "fuzz", "")
		sealed := binary.LittleEndian.AppendUint32(slices.Clone(data), crc32.Checksum(data, castagnoli))
		_, _, _ = parsePart(sealed, "fuzz", "")
	})
}
