package player

import (
	"bufio"
	"compress/gzip"
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// realPositions returns 1,000 positions of GNU Backgammon's games.
func realPositions(t testing.TB) []bg.Board {
	t.Helper()
	f, err := os.Open("../bg/testdata/positions.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var boards []bg.Board
	for s := bufio.NewScanner(z); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		b, err := bg.ParsePosition(s.Text())
		if err != nil {
			t.Fatal(err)
		}
		boards = append(boards, b)
	}
	return boards
}

// stockNets returns a player of nets of GNU Backgammon's sizes with random
// weights, which take as long as its own.
func stockNets(t testing.TB, a nn.Activation, db *bearoff.DB) *Player {
	t.Helper()
	p, err := New(randomFile(t, 1, 128).WithSigmoids(a), db, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// contactBatches returns the contact positions among the candidates of a roll,
// for one roll of each real position; at most a batch of each.
func contactBatches(t testing.TB) [][]bg.Board {
	rng := rand.New(rand.NewPCG(1, 1))
	var plays bg.Plays
	var batches [][]bg.Board
	for _, pos := range realPositions(t) {
		r := bg.Rolls[rng.IntN(len(bg.Rolls))]
		var batch []bg.Board
		for _, c := range plays.Generate(&pos, r.Hi, r.Lo) {
			if bg.Classify(&c) == bg.Contact && len(batch) < batchSize {
				batch = append(batch, c)
			}
		}
		if len(batch) > 0 {
			batches = append(batches, batch)
		}
	}
	return batches
}

// BenchmarkContactEvaluations evaluates contact positions with a 250-128-5 net,
// by one goroutine and without a cache, in batches of the candidates of a roll:
// whole evaluations, and the parts that the inputs and the net have in them.
// Rates are by processor time.
func BenchmarkContactEvaluations(b *testing.B) {
	batches := contactBatches(b)
	run := func(name string, work func([]bg.Board)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			n, i, start := 0, 0, cpuTime()
			for b.Loop() {
				work(batches[i])
				n += len(batches[i])
				i = (i + 1) % len(batches)
			}
			used := (cpuTime() - start).Seconds()
			b.ReportMetric(float64(n)/used, "evals/cpu-s")
			b.ReportMetric(1e9*used/float64(n), "cpu-ns/eval")
			b.ReportMetric(float64(n)/float64(b.N), "evals/op")
		})
	}
	out := make([]bg.Outputs, batchSize)
	for _, a := range []nn.Activation{nn.SigmoidGNUbg, nn.Sigmoid} {
		e := stockNets(b, a, nil).NewEvaluator()
		run(a.String(), func(batch []bg.Board) { e.EvaluateBatch(batch, out) })
		t := &e.full[bg.Contact]
		if a == nn.SigmoidGNUbg {
			run("inputs", func(batch []bg.Board) {
				for i := range batch {
					t.set(i, &batch[i])
				}
			})
		}
		run("net "+a.String(), func(batch []bg.Board) { t.net.net.Eval(t.scratch, t.inputs, len(batch), t.results) })
	}
}

// BenchmarkPlay chooses plays at 0-ply in positions of real games, by one
// goroutine and without a cache: generates the plays, evaluates them, takes the
// best. The rate is by processor time.
func BenchmarkPlay(b *testing.B) {
	positions := realPositions(b)
	db, err := bearoff.Open(context.Background(), bearoff.Options{Dir: b.TempDir(), TwoSidedCheckers: -1})
	if err != nil {
		b.Fatal(err)
	}
	e := stockNets(b, nn.SigmoidGNUbg, db).NewEvaluator()
	i, start := 0, cpuTime()
	b.ReportAllocs()
	for b.Loop() {
		r := &bg.Rolls[i%len(bg.Rolls)] // 21 and 1,000 have no common divisor
		e.BestPlay(&positions[i%len(positions)], r.Hi, r.Lo, 0)
		i++
	}
	b.ReportMetric(float64(b.N)/(cpuTime()-start).Seconds(), "decisions/cpu-s")
}
