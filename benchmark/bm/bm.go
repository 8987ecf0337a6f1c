package bm

import (
	"bgtrain/internal/bg"
)

// Candidate is one play of a Record.
type Candidate struct {
	Key  bg.Key  // the position after the play, the opponent on roll
	Loss float64 // equity lost against the best play, in points; 0 for the best

	// Outputs are the rolled-out outputs of Key, as the opponent (on roll there)
	// sees them; they mean nothing unless RolledOut.
	Outputs   bg.Outputs
	RolledOut bool
}

// Record is a checker-play decision (m).
type Record struct {
	Line       int    // of the m record in its file, from 1
	Key        bg.Key // the position, the mover on roll
	Dice       [2]int // as the file gives them, in either order
	BestEquity float64
	Seed       uint64 // of the rollouts, from the last r record; 0 before the first

	// Candidates are sorted by rising loss; the first is the best play.
	Candidates []Candidate
}

// Find returns the candidate of a key, or nil.
func (r *Record) Find(k bg.Key) *Candidate {
	for i := range r.Candidates {
		if r.Candidates[i].Key == k {
			return &r.Candidates[i]
		}
	}
	return nil
}

// Notation describes the play that leads to a position, or gives its key where no play
// does.
func (r *Record) Notation(after bg.Key) string {
	from, err1 := r.Key.Board()
	to, err2 := after.Board()
	if err1 != nil || err2 != nil {
		return after.String()
	}
	return bg.Notation(&from, &to, r.Dice[0], r.Dice[1])
}

// OutLoss is what a play costs that is not among the candidates: the largest
// listed loss, as the published tools count it.
func (r *Record) OutLoss() float64 { return r.Candidates[len(r.Candidates)-1].Loss }

// CubeRecord is a cube decision (o).
type CubeRecord struct {
	Line    int
	Key     bg.Key
	Outputs bg.Outputs  // rolled out, as the player on roll sees them
	Rolled  *RolledCube // its #D line, nil where it has none
}

// File is a whole benchmark file.
type File struct {
	Name     string   // as it was opened
	Digest   string   // SHA-256 of its bytes, compressed if they are, cut to 128 bits, in hexadecimal
	Checked  bool     // all its lines have the digest that a line above them states
	Settings []string // text of the s records
	Records  []Record
	Cubes    []CubeRecord

	// Loose are the numbers of the #R lines that name no candidate of the record before
	// or after them, or one that has its outputs already.
	Loose []int

	// Skipped holds what was wrong with each record left out, where the reader
	// was told to skip bad ones.
	Skipped []error
}

// Class is the class that a file is about: the one that its name begins with
// (contact.bm, crashed-2012.bm.gz), else the class of most of its records'
// positions, the earlier of bg's order where they tie.
func (f *File) Class() bg.Class {
	if c, ok := classOfName(f.Name); ok {
		return c
	}
	var count [bg.NumClasses]int
	for i := range f.Records {
		if b, err := f.Records[i].Key.Board(); err == nil {
			count[bg.Classify(&b)]++
		}
	}
	best := bg.Contact
	for c, n := range count {
		if n > count[best] {
			best = bg.Class(c)
		}
	}
	return best
}
