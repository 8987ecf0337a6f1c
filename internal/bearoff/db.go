package bearoff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"bgtrain/internal/bg"
)

// DefaultTwoSided is the number of checkers a side of the two-sided database
// when Options does not say: as many as GNU Backgammon's.
const DefaultTwoSided = 6

// Options of Open. The zero value is right for most.
type Options struct {
	// Dir is where the databases are cached; empty for bgtrain in the user's cache
	// directory.
	Dir string
	// TwoSidedCheckers is the number of checkers a side that the two-sided database
	// covers, up to MaxTwoSided: 0 for DefaultTwoSided, -1 for no such database.
	TwoSidedCheckers int
	// Progress, if set, is called now and then while a database is being computed,
	// with the part that is done. It is not called when all comes from the cache.
	Progress func(done, total int)
}

// DB holds the databases. It does not change: goroutines can share it.
type DB struct {
	one     []Dist       // by index
	two     *twoSided    // nil for none
	running [][6]float32 // see runOut
	cube    cubeful      // see Cubeful
}

// Open reads the databases from the cache, or computes them and tries to put
// them there. A cached file that is damaged or of another version is replaced; a
// cache that cannot be read or written does no harm beyond the time to compute.
// It is an error if ctx ends or the options make no sense.
func Open(ctx context.Context, o Options) (*DB, error) {
	checkers := o.TwoSidedCheckers
	if checkers == 0 {
		checkers = DefaultTwoSided
	}
	if checkers < -1 || checkers > MaxTwoSided {
		return nil, fmt.Errorf("two-sided bearoff database for %d checkers: 1 to %d expected, or -1 for none",
			checkers, MaxTwoSided)
	}
	dir := o.Dir
	if dir == "" {
		if base, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(base, "bgtrain")
		}
	}
	if dir != "" {
		// If this fails, so will reading and writing: then without a cache.
		_ = os.MkdirAll(dir, 0o755)
	}
	return open(ctx, dir, checkers, o.Progress)
}

// open opens or computes both databases; without a directory nothing is cached.
func open(ctx context.Context, dir string, checkers int, report func(done, total int)) (*DB, error) {
	onePath := filepath.Join(dir, fmt.Sprintf("bearoff-one-sided-v%d.bin", version))
	twoPath := filepath.Join(dir, fmt.Sprintf("bearoff-two-sided-%d-v%d.bin", checkers, version))
	db := &DB{running: runOut()}
	var oneErr, twoErr error = os.ErrNotExist, os.ErrNotExist
	if dir != "" {
		db.one, oneErr = readOneSided(onePath)
		if checkers > 0 {
			db.two, twoErr = readTwoSided(twoPath, checkers)
		}
	}

	p := progress{report: report}
	if oneErr != nil {
		p.total += (NumOneSided - 1) * oneSidedCost
	}
	if twoErr != nil && checkers > 0 {
		n := Positions(checkers) - 1
		p.total += n * n
	}
	workers := runtime.GOMAXPROCS(0)
	var err error
	if oneErr != nil {
		db.one, err = buildOneSided(ctx, workers, func(n int) { p.add(n * oneSidedCost) })
		if err != nil {
			return nil, fmt.Errorf("compute the one-sided bearoff database: %w", err)
		}
		if dir != "" {
			_ = writeOneSided(onePath, db.one) // the next one to need it computes it
		}
	}
	if twoErr != nil && checkers > 0 {
		db.two, err = buildTwoSided(ctx, checkers, workers, p.add)
		if err != nil {
			return nil, fmt.Errorf("compute the two-sided bearoff database of %d checkers: %w", checkers, err)
		}
		if dir != "" {
			_ = writeTwoSided(twoPath, db.two)
		}
	}
	return db, nil
}

// oneSidedCost is about how many pairs of the two-sided database can be computed
// in the time of one position of the one-sided.
const oneSidedCost = 64

// progress adds up work done.
type progress struct {
	report      func(done, total int)
	done, total int
}

func (p *progress) add(n int) {
	p.done += n
	if p.report != nil {
		p.report(p.done, p.total)
	}
}

// TwoSidedCheckers returns the number of checkers a side that the two-sided
// database covers, 0 without one.
func (db *DB) TwoSidedCheckers() int {
	if db.two == nil {
		return 0
	}
	return db.two.checkers
}

// Covers tells whether a position, which must pass Check, is one that Evaluate
// knows: not over, and all checkers of both sides on the board in their home
// boards.
func (db *DB) Covers(b *bg.Board) bool {
	me, opp := b.Me.Back(), b.Opp.Back()
	return uint(me) < Points && uint(opp) < Points
}

// Exact tells whether Evaluate is exact for a position that Covers is true of:
// the two-sided database has it.
func (db *DB) Exact(b *bg.Board) bool {
	if db.two == nil {
		return false
	}
	me, _ := Index((*home)(b.Me[:Points]))
	opp, _ := Index((*home)(b.Opp[:Points]))
	return max(me, opp) < db.two.n
}

// Evaluate sets out to the outputs of a position that Covers is true of: exact
// where the two-sided database has it, otherwise those of two sides that play
// for the fewest rolls without regard to each other. There are no backgammons.
func (db *DB) Evaluate(b *bg.Board, out *bg.Outputs) {
	me, myCheckers := Index((*home)(b.Me[:Points]))
	opp, oppCheckers := Index((*home)(b.Opp[:Points]))
	*out = bg.Outputs{}
	if t := db.two; t != nil && max(me, opp) < t.n {
		out[bg.Win] = t.win(me, opp)
		return
	}
	mine, theirs := &db.one[me], &db.one[opp]
	// I win if I bear off in n rolls and the opponent needs n or more.
	win := mine.dot(&theirs.AtLeast)
	out[bg.Win] = win
	if oppCheckers == maxCheckers {
		// He has had n-1 rolls when I am off with the n-th.
		out[bg.WinGammon] = min(mine.dotFirst(&theirs.FirstAtLeast, 0), win)
	}
	if myCheckers == maxCheckers {
		// I have had n rolls when he is off with his n-th.
		out[bg.LoseGammon] = min(theirs.dotFirst(&mine.FirstAtLeast, 1), 1-win)
	}
}

// dot returns the sum over n of P[n]·atLeast[n].
func (d *Dist) dot(atLeast *[32]float32) float32 {
	sum := float32(0)
	for n := d.Min & 31; n < d.end&31; n++ {
		sum += d.P[n&31] * atLeast[n&31]
	}
	return min(sum, 1)
}

// dotFirst returns the sum over n of P[n]·atLeast[n+later].
func (d *Dist) dotFirst(atLeast *[numFirst]float32, later int) float32 {
	sum := float32(0)
	for n := int(d.Min); n+later < numFirst; n++ {
		sum += d.P[n&31] * atLeast[n+later]
	}
	return min(sum, 1)
}

// Rolls returns the distribution of the rolls that one side needs from its home
// board (checkers on the 1-point to the 6-point, at most fifteen), which must
// not be changed.
func (db *DB) Rolls(home *[Points]uint8) *Dist {
	id, _ := Index(home)
	return &db.one[id]
}
