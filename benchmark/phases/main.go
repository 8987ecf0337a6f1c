// Phases tells whether contact nets for each of k phases play better than one: the
// phases are found by k-means on the checkers of each place, each net learns from
// the positions of its phase alone, and one more from all, with the same settings.
// All begin with random weights. It prints the error rates of both on a benchmark
// file of contact decisions. Crashed positions and races are those of td.
//
//	go run ./benchmark/phases -k 3 -hidden 128 data/databases/train.parquet data/benchmarks/contact.bm
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/player"
	"bgtrain/trainer/net"
)

type settings struct {
	k, hidden, rounds int
	training          net.Settings
}

func main() {
	s := settings{rounds: 20, training: net.Defaults()}
	flag.IntVar(&s.k, "k", 3, "phases")
	flag.IntVar(&s.hidden, "hidden", 128, "hidden units of each net")
	flag.IntVar(&s.training.Epochs, "epochs", 5, "passes over the positions")
	flag.Uint64Var(&s.training.Seed, "seed", 1, "of k-means, weights and shuffling")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, s, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "phases: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, s settings, args []string) error {
	if len(args) != 2 || s.k < 1 || s.hidden < 1 {
		return fmt.Errorf("a database and a benchmark file expected, one phase or more, and hidden units")
	}
	rows, places, err := read(ctx, args[0])
	if err != nil {
		return err
	}
	file, err := bm.ReadFile(args[1], bm.ReadOptions{})
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(s.training.Seed, 1))
	centers, spread := kMeans(rng, places, s.k, s.rounds)
	fmt.Fprintf(out, "%d positions, mean square of the distance to the nearest of %d centers %.1f\n", len(rows), s.k, spread)

	all, parts := net.NewData(s.training.Validation), make([]*net.Data, s.k)
	for c := range parts {
		parts[c] = net.NewData(s.training.Validation)
	}
	for i := range rows {
		c, _ := nearest(centers, &places[i])
		e := net.Example{Key: rows[i].Key, Target: rows[i].Outputs, Weight: 1}
		for _, d := range []*net.Data{all, parts[c]} {
			if err := d.Add(e); err != nil {
				return err
			}
		}
	}
	one, rms, err := train(ctx, all, &s)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "one net: %d positions, held-out error of the equity %.4f points\n", all.Training(), rms)
	phases := &phasePlayer{name: "phases", centers: centers}
	sum, held := 0.0, 0
	for c, d := range parts {
		p, rms, err := train(ctx, d, &s)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "phase %d: %d positions, held-out error of the equity %.4f points\n", c+1, d.Training(), rms)
		sum, held = sum+rms*rms*float64(d.Validation()), held+d.Validation()
		phases.players = append(phases.players, p)
	}
	fmt.Fprintf(out, "all phases: held-out error of the equity %.4f points\n", math.Sqrt(sum/float64(held)))
	return compare(ctx, out, file, phases, &opponents.NetPlayer{Net: one, Label: "one net"})
}

// compare scores both players on a file.
func compare(ctx context.Context, out io.Writer, file *bm.File, phases, one opponents.Player) error {
	a, err := score.File(ctx, phases, file, score.Options{})
	if err != nil {
		return err
	}
	b, err := score.File(ctx, one, file, score.Options{})
	if err != nil {
		return err
	}
	c, err := score.Compare(a, b)
	if err != nil {
		return err
	}
	for _, s := range []*score.Score{b, a} {
		er := s.Summary().ER
		fmt.Fprintf(out, "%s: error rate %.2f ± %.2f\n", s.Player, er.Mean, er.SE)
	}
	_, err = fmt.Fprintf(out, "difference %+.2f ± %.2f\n", c.Difference.Mean, c.Difference.SE)
	return err
}

// read returns the contact positions of a database that have outputs.
func read(ctx context.Context, path string) (rows []dataset.Row, places []place, err error) {
	db, err := dataset.Open(path)
	if err != nil {
		return nil, nil, err
	}
	for r, err := range db.Rows(ctx, dataset.Filter{Classes: []bg.Class{bg.Contact}}) {
		if err != nil {
			return nil, nil, err
		}
		if !r.HasOutputs {
			continue
		}
		b, err := r.Key.Board()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: position %v: %w", path, r.Key, err)
		}
		rows, places = append(rows, r), append(places, placeOf(&b))
	}
	if len(rows) == 0 {
		return nil, nil, fmt.Errorf("%s: no contact positions with outputs", path)
	}
	return rows, places, nil
}

// train returns the player whose contact net learned from positions, and that
// net's root mean square error of the equity on those held out, in points.
func train(ctx context.Context, d *net.Data, s *settings) (*player.Player, float64, error) {
	set := features.GNUbgContact
	rng := rand.New(rand.NewPCG(s.training.Seed, 2))
	start := nets.Random(rng, nets.ByInputs, nn.Sigmoid, set.Size, s.hidden, bg.NumOutputs)
	if d.Validation() == 0 {
		return nil, 0, fmt.Errorf("none of %d positions held out: too few", d.Training())
	}
	n, report, err := net.Run(ctx, start, set, d, s.training, net.Hooks{})
	if err != nil {
		return nil, 0, err
	}
	f, _, err := data.Net("td")
	if err != nil {
		return nil, 0, err
	}
	f = f.Clone()
	f.Nets["contact"] = &nets.Entry{Net: n, Inputs: set.Name, InputsVersion: set.Version}
	p, err := player.New(f, nil, player.Options{})
	return p, *report.Points[report.Best].RMS, err
}

// phasePlayer values a position with the player of its phase.
type phasePlayer struct {
	name    string
	centers []place
	players []*player.Player
}

// Name returns what the table calls the player.
func (p *phasePlayer) Name() string { return p.name }

// NewMover returns what plays for one goroutine.
func (p *phasePlayer) NewMover() (opponents.Mover, error) {
	m := &phaseMover{p: p}
	for _, q := range p.players {
		m.evaluators = append(m.evaluators, q.NewEvaluator())
	}
	return m, nil
}

type phaseMover struct {
	p          *phasePlayer
	evaluators []*player.Evaluator
	plays      bg.Plays
}

// Play plays the best play at 0-ply.
func (m *phaseMover) Play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	plays := m.plays.Generate(b, d1, d2)
	outs := make([]bg.Outputs, len(plays))
	for i := range plays {
		at := placeOf(&plays[i])
		c, _ := nearest(m.p.centers, &at)
		outs[i] = m.evaluators[c].Evaluate(&plays[i], 0)
	}
	return plays[player.Best(outs)], nil
}
