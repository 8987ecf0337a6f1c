// Command treesearch lets a tree search with progressive widening decide the contact decisions that ship, and
// prints its error rate and processor time beside those of look-ahead by the same net. It answered a question of
// docs/sources.md.
//
//	go run ./data/experiments/treesearch [NET [DECISIONS [SIMULATIONS…]]]
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

const (
	widening = 1.0 // plays in the running after n visits: widening · n^growth + 1
	growth   = 0.4
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "treesearch:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	net, decisions, simulations := "td", 500, []int{30, 100, 300}
	if len(args) > 0 {
		net, args = args[0], args[1:]
	}
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		decisions, args = n, args[1:]
	}
	if len(args) > 0 {
		simulations = nil
	}
	for _, a := range args {
		n, err := strconv.Atoi(a)
		if err != nil {
			return err
		}
		simulations = append(simulations, n)
	}
	set, err := data.OpenNet(net)
	if err != nil {
		return err
	}
	db, err := bearoff.Open(context.Background(), bearoff.Options{})
	if err != nil {
		return err
	}
	p, err := player.New(set, db, player.Options{Prune: true})
	if err != nil {
		return err
	}
	f, err := bm.ReadShipped("benchmarks/contact.bm")
	if err != nil {
		return err
	}
	f.Records = f.Records[:min(decisions, len(f.Records))]
	var base *score.Score
	judge := func(name string, m *searcher) error {
		began := spent()
		s, err := score.File(context.Background(), m, f, score.Options{Workers: 1})
		if err != nil {
			return err
		}
		took := spent() - began
		fmt.Printf("%-18s ER %6.2f ± %.2f  %7.2f ms a decision", name, s.Summary().ER.Mean, s.Summary().ER.SE,
			float64(took.Microseconds())/1000/float64(len(f.Records)))
		if base != nil {
			c, err := score.Compare(s, base)
			if err != nil {
				return err
			}
			fmt.Printf("  less 1-ply %+.2f ± %.2f", c.Difference.Mean, c.Difference.SE)
		}
		fmt.Println()
		if m.ply == 1 {
			base = s
		}
		return nil
	}
	for _, ply := range []int{1, 0} {
		if err := judge(fmt.Sprintf("%d-ply", ply), &searcher{p: p, ply: ply}); err != nil {
			return err
		}
	}
	for _, n := range simulations {
		for _, x := range []float64{0.3, 1, 3} {
			if err := judge(fmt.Sprintf("%d, bound %g", n, x), &searcher{p: p, simulations: n, explore: x}); err != nil {
				return err
			}
		}
	}
	return nil
}

// searcher is the player: look-ahead without simulations, else the tree.
type searcher struct {
	p           *player.Player
	ply         int
	simulations int
	explore     float64 // points, times √(ln n / visits)
}

// spent is the processor time of this process.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (s *searcher) Name() string { return "tree" }

func (s *searcher) NewMover() (opponents.Mover, error) {
	return &mover{s: s, e: s.p.NewEvaluator()}, nil
}

type mover struct {
	s *searcher
	e *player.Evaluator
}

// choice is a roll to be played: the plays, best first by the net.
type choice struct {
	plays []*chance
	n     int
}

// chance is a position before its roll, worth value to the player who made the play.
type chance struct {
	board  bg.Board
	prior  float64 // by the net
	over   bool    // or in a database
	n      int
	sum    float64
	counts [len(bg.Rolls)]int
	rolls  [len(bg.Rolls)]*choice
}

func (c *chance) value() float64 {
	if c.n == 0 {
		return c.prior
	}
	return c.sum / float64(c.n)
}

func (m *mover) Play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	if m.s.simulations == 0 {
		return m.e.Plays(b, d1, d2, m.s.ply)[0].Result, nil
	}
	root := m.expand(b, d1, d2)
	if len(root.plays) == 1 {
		return root.plays[0].board, nil
	}
	for range m.s.simulations {
		m.descend(root)
	}
	best := root.plays[0]
	for _, c := range root.plays {
		if c.n > best.n || c.n == best.n && c.value() > best.value() {
			best = c
		}
	}
	return best.board, nil
}

// expand evaluates the plays of a roll.
func (m *mover) expand(b *bg.Board, d1, d2 int) *choice {
	var plays bg.Plays
	boards := plays.Generate(b, d1, d2)
	outs := make([]bg.Outputs, len(boards))
	m.e.EvaluateBatch(boards, outs)
	c := &choice{plays: make([]*chance, len(boards))}
	for i := range boards {
		c.plays[i] = &chance{board: boards[i], prior: -float64(outs[i].Equity()), over: m.e.Class(&boards[i]) <= bg.Bearoff}
	}
	slices.SortStableFunc(c.plays, func(a, b *chance) int {
		switch {
		case a.prior > b.prior:
			return -1
		case a.prior < b.prior:
			return 1
		}
		return 0
	})
	return c
}

// descend makes one simulation and returns what it is worth to the player who has the choice.
func (m *mover) descend(c *choice) float64 {
	c.n++
	most := min(len(c.plays), 1+int(widening*math.Pow(float64(c.n), growth)))
	var best *chance
	highest := math.Inf(-1)
	for _, p := range c.plays[:most] {
		bound := p.value() + m.s.explore*math.Sqrt(math.Log(float64(c.n)+1)/float64(p.n+1))
		if bound > highest {
			best, highest = p, bound
		}
	}
	v := best.prior
	if !best.over {
		v = -m.roll(best)
	}
	best.n++
	best.sum += v
	return v
}

// roll goes on with the roll that has come least often for its chance, and returns what that is worth to the
// player who rolls.
func (m *mover) roll(c *chance) float64 {
	least, lack := 0, math.Inf(-1)
	for i := range bg.Rolls {
		if l := float64(bg.Rolls[i].Weight)*float64(c.n+1)/36 - float64(c.counts[i]); l > lack {
			least, lack = i, l
		}
	}
	c.counts[least]++
	if next := c.rolls[least]; next != nil {
		return m.descend(next)
	}
	next := m.expand(&c.board, bg.Rolls[least].Hi, bg.Rolls[least].Lo)
	c.rolls[least] = next
	return next.plays[0].prior
}
