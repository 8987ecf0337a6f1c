// Command rollsgen makes rolls.bin and within.bin, package features' tables of the number of rolls that one side
// of a race needs:
//
//	go run ./features/rollsgen -o features/rolls.bin RACES.parquet…
//	go run ./features/rollsgen -within features/within.bin
//
// Home boards come from the one-sided bearoff database. For sides with checkers outside, a small net learns what
// is missing from an estimate that this gives: from its own values one roll later, which are nearer to the
// database (value iteration), on all sides of the databases' positions. The result depends on the databases alone.
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

const (
	sweeps     = 8  // times that every side gets a value from those one roll later
	epochs     = 10 // passes over the sides in a sweep
	lastEpochs = 30 // in the last one
	rate       = 0.006
	seed       = 1 // of weights and shuffling
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("rollsgen: ")
	out := flag.String("o", "rolls.bin", "file to write")
	within := flag.String("within", "", "make within.bin instead, this file")
	flag.Parse()
	db, err := bearoff.Open(context.Background(), bearoff.Options{TwoSidedCheckers: -1})
	if err != nil {
		log.Fatal(err)
	}
	var data []byte
	if *within != "" {
		*out, data = *within, encodeWithin(readHomes(db), db)
	} else if data, err = rollsTable(db, flag.Args()); err != nil {
		log.Fatal(err)
	}
	err = atomicfile.Write(*out, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
}

// rollsTable returns rolls.bin, from the sides of the races in databases.
func rollsTable(db *bearoff.DB, names []string) ([]byte, error) {
	sides, err := readSides(names)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(sides), func(i, j int) { sides[i], sides[j] = sides[j], sides[i] })
	test := sides[:len(sides)/50]
	sides = sides[len(test):]
	fmt.Printf("%d sides to train on, %d to test\n", len(sides), len(test))

	n := newNet(rng, db)
	for sweep := range sweeps {
		n.value(test)
		fmt.Printf("sweep %d: off by %.4f rolls from the values a roll later", sweep+1, n.deviation(test))
		n.value(sides)
		passes := epochs
		if sweep == sweeps-1 {
			passes = lastEpochs
		}
		n.train(sides, passes, rate, rng)
		fmt.Printf(", %.4f after training\n", n.deviation(test))
	}
	return n.encode()
}

// readSides returns the different sides of races that have checkers outside their home board.
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
