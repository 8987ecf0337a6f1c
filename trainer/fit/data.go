package fit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"

	"bgtrain/internal/bg"
	"bgtrain/internal/splitmix"
)

// Example is a position with the outputs that a net shall learn.
type Example struct {
	Key     bg.Key
	Reply   bool       // it and the next one, if that is one too, are replies of one decision
	sibling bool       // with families: it and the example before it belong to one decision
	Target  bg.Outputs // seen by the player on roll
	Weight  float32    // in the loss, relative to other examples; 1: as most
}

// Data holds examples in memory, 36 bytes each, split into a training and a
// validation set.
type Data struct {
	training, validation table

	share    float64 // of the positions that is held out
	families bool    // siblings are held out together
	digest   hash.Hash
	buf      []byte // what is still to go into digest
	weight   float64
	finished string // digest in hex, once asked for
}

// table is a growing list that never moves what it holds: appending to a slice
// would need twice the memory for a moment.
type table struct {
	chunks [][]Example
	n      int
}

const chunkBits = 14

func (t *table) add(e *Example) {
	if t.n>>chunkBits == len(t.chunks) {
		t.chunks = append(t.chunks, make([]Example, 0, 1<<chunkBits))
	}
	c := &t.chunks[len(t.chunks)-1]
	*c = append(*c, *e)
	t.n++
}

func (t *table) at(i uint32) *Example { return &t.chunks[i>>chunkBits][i&(1<<chunkBits-1)] }

// NewData returns an empty Data that holds out the given share of positions, from
// 0 to below 1, for validation: with families, all candidate plays of a decision or none.
func NewData(share float64, families bool) *Data {
	d := &Data{share: share, families: families, digest: sha256.New()}
	fmt.Fprintf(d.digest, "validation %v\n", share)
	return d
}

// Add adds an example. It refuses positions that are not legal, targets that are
// not probabilities, and weights that are negative or not finite. An example of
// weight 0 is left out.
func (d *Data) Add(e Example) error {
	b, err := e.Key.Board()
	if err != nil {
		return fmt.Errorf("position %v: %w", e.Key, err)
	}
	for k, p := range e.Target {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("position %v: output %d is %v", e.Key, k, p)
		}
	}
	if !(e.Weight >= 0 && e.Weight <= math.MaxFloat32) {
		return fmt.Errorf("position %v: weight %v", e.Key, e.Weight)
	}
	if e.Weight == 0 {
		return nil
	}
	if int64(d.training.n) == math.MaxUint32 {
		return fmt.Errorf("more than %d examples", uint32(math.MaxUint32))
	}
	heldOut, to := HeldOut(e.Key, d.share), &d.training
	if d.families {
		heldOut = below(b.Family(), d.share)
	}
	if heldOut {
		to = &d.validation
	} else {
		d.weight += float64(e.Weight)
	}
	e.sibling = d.families && to.n > 0 && siblings(to.at(uint32(to.n-1)), &e)
	to.add(&e)
	d.buf = append(d.buf, e.Key[:]...)
	for _, p := range e.Target {
		d.buf = binary.LittleEndian.AppendUint32(d.buf, math.Float32bits(p))
	}
	d.buf = binary.LittleEndian.AppendUint32(d.buf, math.Float32bits(e.Weight))
	if e.Reply {
		d.buf = append(d.buf, 1)
	}
	if len(d.buf) > 1<<16 {
		d.flush()
	}
	d.finished = ""
	return nil
}

func (d *Data) flush() {
	d.digest.Write(d.buf)
	d.buf = d.buf[:0]
}

// Training and Validation return the sizes of the two sets.
func (d *Data) Training() int { return d.training.n }

// Key returns the position of a row to train on, from 0 to below Training.
func (d *Data) Key(i int) bg.Key { return d.training.at(uint32(i)).Key }

// Validation returns the number of examples held out.
func (d *Data) Validation() int { return d.validation.n }

// Digest identifies the examples, their order and the split.
func (d *Data) Digest() string {
	if d.finished == "" {
		d.flush()
		d.finished = hex.EncodeToString(d.digest.Sum(nil)[:16])
	}
	return d.finished
}

// HeldOut reports whether a position belongs to the validation set where that takes
// the given share of all positions. It depends on the position only: a position
// is on the same side in every database, and what a smaller share holds out a
// larger one holds out too.
func HeldOut(k bg.Key, share float64) bool {
	h := splitmix.Mix(splitmix.Seed(binary.LittleEndian.Uint64(k[:8])) + uint64(binary.LittleEndian.Uint16(k[8:])))
	return below(h, share)
}

// below reports whether a number, as a part of the largest there is, is below a share.
func below(h uint64, share float64) bool { return float64(h>>11)/(1<<53) < share }

// siblings reports whether two examples may belong to one decision.
func siblings(x, y *Example) bool {
	if x.Reply || y.Reply {
		return x.Reply && y.Reply
	}
	a, err := x.Key.Board()
	b, e := y.Key.Board()
	return err == nil && e == nil && bg.Siblings(&a, &b)
}

// shuffleDecisions is shuffle of decisions, whose examples stay next to each other.
func (t *table) shuffleDecisions(order []uint32, seed, epoch uint64) {
	var first []uint32
	for i := range uint32(t.n) {
		if !t.at(i).sibling {
			first = append(first, i)
		}
	}
	decisions := make([]uint32, len(first))
	shuffle(decisions, seed, epoch)
	order = order[:0]
	for _, d := range decisions {
		i := first[d]
		order = append(order, i)
		for i++; i < uint32(t.n) && t.at(i).sibling; i++ {
			order = append(order, i)
		}
	}
}

// shuffle fills order with the numbers below len(order), in the order of an
// epoch.
func shuffle(order []uint32, seed, epoch uint64) {
	for i := range order {
		order[i] = uint32(i)
	}
	rng := rand.New(rand.NewPCG(seed, epoch))
	for i := len(order) - 1; i > 0; i-- {
		j := rng.Uint32N(uint32(i + 1))
		order[i], order[j] = order[j], order[i]
	}
}
