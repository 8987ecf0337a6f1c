// Command rollsgen makes within.bin, package features' table of what one side of a race has done within so many
// rolls:
//
//	go run ./features/rollsgen -within features/within.bin
//
// The chances are computed, not learned: see saves. Home boards come from the one-sided bearoff database.
package main

import (
	"context"
	"flag"
	"io"
	"log"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bearoff"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("rollsgen: ")
	out := flag.String("within", "within.bin", "file to write")
	flag.Parse()
	db, err := bearoff.Open(context.Background(), bearoff.Options{TwoSidedCheckers: -1})
	if err != nil {
		log.Fatal(err)
	}
	err = atomicfile.Write(*out, func(w io.Writer) error {
		_, err := w.Write(encodeWithin(db))
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
}
