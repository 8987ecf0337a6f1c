// Command rollsgen makes rolls.bin and within.bin, what package features knows of
// the number of rolls that one side of a race needs:
//
//	go run ./features/rollsgen -o features/rolls.bin RACES.parquet…
//	go run ./features/rollsgen -within features/within.bin
//
// Home boards come from the one-sided bearoff database. For sides with checkers
// outside, a small net learns what is missing from an estimate that this gives.
// It learns from its own values one roll later, which are nearer to the database
// (value iteration), on all sides of the databases' positions: no games, no
// noise. The result depends on the databases and the seed alone.
//
// within.bin holds chances that are computed, not learned: see saves.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"

	"bgtrain/dataset"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("rollsgen: ")
	out := flag.String("o", "rolls.bin", "file to write")
	within := flag.String("within", "", "make within.bin instead, this file")
	sweeps := flag.Int("sweeps", 8, "times that every side gets a value from those one roll later")
	epochs := flag.Int("epochs", 10, "passes over the sides in a sweep")
	last := flag.Int("last", 30, "passes in the last sweep")
	rate := flag.Float64("lr", 0.006, "learning rate")
	seed := flag.Uint64("seed", 1, "seed of weights and shuffling")
	flag.Parse()
	var err error
	if *within != "" {
		err = runWithin(*within)
	} else {
		err = run(*out, flag.Args(), *sweeps, *epochs, *last, *rate, *seed)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func runWithin(out string) error {
	db, err := bearoff.Open(context.Background(), bearoff.Options{TwoSidedCheckers: -1})
	if err != nil {
		return err
	}
	return write(out, encodeWithin(readHomes(db), db))
}

func run(out string, names []string, sweeps, epochs, last int, rate float64, seed uint64) error {
	db, err := bearoff.Open(context.Background(), bearoff.Options{TwoSidedCheckers: -1})
	if err != nil {
		return err
	}
	sides, err := readSides(names)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(sides), func(i, j int) { sides[i], sides[j] = sides[j], sides[i] })
	test := sides[:len(sides)/50]
	sides = sides[len(test):]
	fmt.Printf("%d sides to train on, %d to test\n", len(sides), len(test))

	n := newNet(rng, db)
	for sweep := range sweeps {
		n.value(test)
		fmt.Printf("sweep %d: off by %s from the values a roll later\n", sweep+1, n.errors(test))
		n.value(sides)
		if sweep == sweeps-1 {
			epochs = last
		}
		n.train(sides, epochs, rate, rng)
		fmt.Printf("         %s after training\n", n.errors(test))
	}
	data, err := n.encode()
	if err != nil {
		return err
	}
	return write(out, data)
}

// readSides returns the different sides of races that have checkers outside
// their home board.
func readSides(names []string) ([]side, error) {
	var sides []side
	seen := map[bg.Side]bool{}
	for _, name := range names {
		db, err := dataset.Open(name)
		if err != nil {
			return nil, err
		}
		for row, err := range db.Rows(context.Background(), dataset.Filter{Columns: dataset.ColClass,
			Classes: []bg.Class{bg.Race}}) {
			if err != nil {
				return nil, err
			}
			b, err := row.Key.Board()
			if err != nil {
				return nil, fmt.Errorf("%s: position %s: %w", name, row.Key, err)
			}
			for _, s := range []*bg.Side{&b.Me, &b.Opp} {
				if s.Back() >= bearoff.Points && !seen[*s] {
					seen[*s] = true
					sides = append(sides, side{board: *s, all: s.OnBoard() == bg.Checkers})
				}
			}
		}
	}
	if len(sides) == 0 {
		return nil, fmt.Errorf("no race with a checker outside in %v", names)
	}
	return sides, nil
}

func write(path string, data []byte) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
